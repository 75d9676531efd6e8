#include "ui/widgets/plot_tool_bar.h"

#include "ui/widgets/flow_layout.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>

#include <array>
#include <cmath>

namespace earwright::ui {

namespace {

// The slider's steps double the length of the average's memory: 1 point, 2, 4 … 256.
constexpr int kSmoothingSteps = 8;
constexpr std::array kAxes { XAxis::Step, XAxis::RelativeTime, XAxis::WallTime, XAxis::Epoch };

double smoothingOf(int sliderStep)
{
    return 1.0 - std::pow(2.0, -sliderStep);
}

/// Widgets that stay in one row, in a box of their own.
QWidget* group(std::initializer_list<QWidget*> widgets, QWidget* parent)
{
    auto* box = new QWidget(parent);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    for (QWidget* widget : widgets)
        row->addWidget(widget);
    return box;
}

} // namespace

PlotToolBar::PlotToolBar(QWidget* parent)
    : QWidget(parent)
    , m_layout(new FlowLayout(FlowLayout::Rows::Full, { 10, 6 }, this))
    , m_xAxis(new QComboBox(this))
    , m_smoothing(new QSlider(Qt::Horizontal, this))
    , m_smoothingText(new QLabel(this))
    , m_logY(new QCheckBox(tr("&Log y"), this))
    , m_clipped(new QCheckBox(tr("Clip outliers"), this))
    , m_reset(new QPushButton(tr("Reset &zoom"), this))
    , m_export(new QPushButton(tr("Ex&port…"), this))
{
    buildControls();
    connectControls();
    setSmoothing(0);
}

void PlotToolBar::buildControls()
{
    m_xAxis->addItems({ tr("Step"), tr("Time since start"), tr("Wall time"), tr("Epoch") });
    m_xAxis->setObjectName(QStringLiteral("xAxis"));
    m_xAxis->setFocusPolicy(Qt::StrongFocus);
    m_xAxis->installEventFilter(this);
    m_smoothing->setObjectName(QStringLiteral("smoothing"));
    m_smoothing->setRange(0, kSmoothingSteps);
    m_smoothing->setPageStep(1);
    m_smoothing->setFixedWidth(56);
    m_smoothing->setFocusPolicy(Qt::StrongFocus);
    m_smoothing->installEventFilter(this);
    m_smoothingText->setMinimumWidth(
        m_smoothingText->fontMetrics().horizontalAdvance(tr("%1 points").arg(256)));
    m_logY->setObjectName(QStringLiteral("logY"));
    m_clipped->setObjectName(QStringLiteral("clipped"));
    m_clipped->setChecked(true);
    m_clipped->setToolTip(tr("Leave single values out of a plot's range that would flatten all "
                             "others. They are marked at its edge."));
    m_export->setObjectName(QStringLiteral("export"));
    m_reset->setToolTip(tr("Ctrl + wheel: zoom x. Shift + wheel: zoom y. Drag: pan. Shift + drag: "
                           "zoom into a rectangle. Home: all. Double click: one plot alone, and "
                           "back."));
    auto* xLabel = new QLabel(tr("&X axis"), this);
    xLabel->setBuddy(m_xAxis);
    auto* smoothingLabel = new QLabel(tr("&Smoothing"), this);
    smoothingLabel->setBuddy(m_smoothing);
    m_layout->addWidget(group({ xLabel, m_xAxis }, this));
    m_layout->addWidget(group({ smoothingLabel, m_smoothing, m_smoothingText }, this));
    m_layout->addWidget(m_logY);
    m_layout->addWidget(m_clipped);
    QWidget* buttons = group({ m_reset, m_export }, this);
    m_layout->addWidget(buttons);
    m_layout->setAlignment(buttons, Qt::AlignRight | Qt::AlignVCenter);
}

void PlotToolBar::connectControls()
{
    connect(m_xAxis, &QComboBox::currentIndexChanged, this,
        [this](int index) { Q_EMIT xAxisChosen(kAxes.at(static_cast<size_t>(index))); });
    connect(m_smoothing, &QSlider::valueChanged, this, [this](int value) {
        m_smoothingText->setText(value == 0 ? tr("off") : tr("%1 points").arg(1 << value));
        Q_EMIT smoothingChosen(smoothingOf(value));
    });
    connect(m_logY, &QCheckBox::toggled, this, &PlotToolBar::logYChosen);
    connect(m_clipped, &QCheckBox::toggled, this, &PlotToolBar::clippedChosen);
    connect(m_reset, &QPushButton::clicked, this, &PlotToolBar::resetRequested);
    connect(m_export, &QPushButton::clicked, this, &PlotToolBar::exportRequested);
}

XAxis PlotToolBar::xAxis() const
{
    return kAxes.at(static_cast<size_t>(m_xAxis->currentIndex()));
}

PlotOptions PlotToolBar::options() const
{
    return { smoothingOf(m_smoothing->value()), m_logY->isChecked(), m_clipped->isChecked() };
}

void PlotToolBar::setOptions(const PlotOptions& options)
{
    setSmoothing(options.smoothing);
    m_logY->setChecked(options.isLogY);
    m_clipped->setChecked(options.isClipped);
}

void PlotToolBar::setXAxis(XAxis axis)
{
    for (size_t i = 0; i < kAxes.size(); ++i) {
        if (kAxes.at(i) == axis)
            m_xAxis->setCurrentIndex(static_cast<int>(i));
    }
}

void PlotToolBar::setSmoothing(double smoothing)
{
    m_smoothing->setValue(
        static_cast<int>(std::lround(-std::log2(1.0 - std::min(smoothing, 0.999)))));
    m_smoothingText->setText(
        m_smoothing->value() == 0 ? tr("off") : tr("%1 points").arg(1 << m_smoothing->value()));
}

void PlotToolBar::addControl(QWidget* control)
{
    m_layout->insertWidget(m_layout->count() - 1, control);
}

// A wheel meant for the page must not change a control it passes.
bool PlotToolBar::eventFilter(QObject* watched, QEvent* event)
{
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (event->type() == QEvent::Wheel && widget && !widget->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace earwright::ui
