#include "ui/widgets/plot_view.h"

#include "ui/widgets/plot_crosshair.h"
#include "ui/widgets/plot_heading.h"
#include "ui/widgets/plot_outliers.h"
#include "ui/widgets/plot_theme.h"
#include "ui/widgets/plot_ticks.h"
#include "ui/widgets/qcp.h"

#include <QVBoxLayout>

#include <algorithm>

namespace earwright::ui {

namespace {

constexpr int kFrameMs = 33; ///< at most 30 frames a second
constexpr size_t kMostAntialiased = 12; ///< curves; more would cost too much a frame

} // namespace

PlotView::PlotView(PlotSpec spec, QWidget* parent)
    : QWidget(parent)
    , m_spec(std::move(spec))
    , m_plot(new QCustomPlot(this))
{
    setObjectName(m_spec.id);
    setAccessibleName(m_spec.title);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1); // the frame
    layout->addWidget(m_plot);
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusProxy(this);
    m_plot->setAccessibleName(m_spec.title);
    m_frame.setSingleShot(true);
    m_sinceFrame.start();
    buildPlot();
    m_range = new PlotRange(*m_plot);
    m_heading = std::make_unique<PlotHeading>(*m_plot, m_spec.title, *this);
    m_crosshair = std::make_unique<PlotCrosshair>(*m_plot);
    m_marks = std::make_unique<PlotMarks>(*m_plot);
    m_outliers = std::make_unique<PlotOutliers>(*m_plot);
    connectPlot();
    applyTheme(*m_plot, palette());
}

PlotView::~PlotView() = default;

void PlotView::buildPlot()
{
    // Without this hint a wide pen on a noisy curve costs hundreds of ms a frame.
    m_plot->setPlottingHint(QCP::phFastPolylines);
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->setMinimumSize(260, 180);
    m_plot->setAutoAddPlottableToLegend(false);
    m_plot->yAxis->setLabel(m_spec.unit);
    m_plot->yAxis2->setRange(0, 1);
    m_plot->axisRect()->setMinimumMargins(QMargins(64, 6, 14, 0));
    m_plot->axisRect()->setRangeDrag(Qt::Horizontal | Qt::Vertical);
    applyXAxis(*m_plot->xAxis, m_axis);
    applyYScale(*m_plot->yAxis, m_options.isLogY);
    m_plot->installEventFilter(this);
    // QCustomPlot keeps what it ignores from its parents: the plain wheel and the context menu.
    m_plot->setAttribute(Qt::WA_NoMousePropagation, false);
}

void PlotView::connectPlot()
{
    connect(&m_frame, &QTimer::timeout, this, [this] {
        if (isVisible())
            refresh();
    });
    connect(m_range, &PlotRange::changed, this, &PlotView::schedule);
    connect(m_range, &PlotRange::zoomed, this, &PlotView::zoomed);
    connect(m_plot, &QCustomPlot::mouseMove, this, &PlotView::onMouseMove);
    connect(m_plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        const bool isRectangle = event->modifiers().testFlag(Qt::ShiftModifier);
        m_plot->setSelectionRectMode(isRectangle ? QCP::srmZoom : QCP::srmNone);
    });
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, [this] { Q_EMIT enlargeWanted(true); });
    connect(this, &PlotView::zoomReset, this, &PlotView::resetZoom);
}

void PlotView::setCurves(const std::vector<PlotCurve>& curves)
{
    m_graphs.resize(curves.size());
    for (size_t i = 0; i < curves.size(); ++i) {
        // Kept derived data would belong to another curve.
        if (!m_graphs[i] || m_graphs[i]->curve().name != curves[i].name)
            m_graphs[i] = std::make_unique<CurveGraphs>(*m_plot);
        m_graphs[i]->setCurve(curves[i]);
        m_graphs[i]->setAntialiased(curves.size() <= kMostAntialiased);
    }
    schedule();
}

std::vector<PlotCurve> PlotView::curves() const
{
    std::vector<PlotCurve> curves;
    for (const auto& graphs : m_graphs)
        curves.push_back(graphs->curve());
    return curves;
}

std::vector<run::Point> PlotView::points(const QString& curve) const
{
    for (const auto& graphs : m_graphs) {
        if (graphs->curve().name == curve)
            return graphs->points();
    }
    return {};
}

std::optional<Extent> PlotView::keyExtent() const
{
    std::optional<Extent> extent;
    for (const auto& graphs : m_graphs)
        extent = united(extent, graphs->keyExtent(m_axis));
    return extent;
}

void PlotView::setXAxis(XAxis axis)
{
    if (axis == m_axis)
        return;
    m_axis = axis;
    m_range->setHome({});
    applyXAxis(*m_plot->xAxis, axis);
    hideCrosshair();
    resetZoom();
}

void PlotView::setOptions(const PlotOptions& options)
{
    const bool isOtherY
        = options.isLogY != m_options.isLogY || options.isClipped != m_options.isClipped;
    m_options = options;
    m_options.smoothing = std::clamp(options.smoothing, 0.0, 0.9999);
    if (isOtherY) {
        applyYScale(*m_plot->yAxis, m_options.isLogY);
        m_range->followY();
    }
    schedule();
}

void PlotView::setMarks(std::vector<PlotMark> marks)
{
    m_marks->setMarks(std::move(marks));
    schedule();
}

void PlotView::highlight(const QString& curve)
{
    const auto isIt = [&curve](const auto& each) { return each->curve().name == curve; };
    const bool isAny = std::any_of(m_graphs.begin(), m_graphs.end(), isIt);
    for (const auto& each : m_graphs)
        each->setEmphasis(!isAny ? CurveGraphs::Emphasis::None
                : isIt(each)     ? CurveGraphs::Emphasis::Bold
                                 : CurveGraphs::Emphasis::Faint);
    schedule();
}

void PlotView::schedule()
{
    if (!m_frame.isActive())
        m_frame.start(std::max(0, kFrameMs - static_cast<int>(m_sinceFrame.elapsed())));
}

void PlotView::refresh()
{
    m_sinceFrame.restart();
    feedFor(m_plot->width());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::paint(QCPPainter& painter, QSize size)
{
    hideCrosshair();
    feedFor(size.width());
    m_plot->toPainter(&painter, size.width(), size.height());
    schedule();
}

void PlotView::feedFor(int width)
{
    m_range->fitX(keyExtent());
    const QCPRange range = m_plot->xAxis->range();
    const PlotWindow window { m_axis, range.lower, range.upper, width, m_options.smoothing,
        m_options.isLogY };
    for (const auto& graphs : m_graphs)
        graphs->fill(window);
    m_range->fitY(m_outliers->show(m_graphs, window, m_options.isClipped), m_options.isLogY);
    m_marks->fill(m_axis);
    m_heading->showCurves(m_graphs, width);
    const QMargins margins = m_plot->axisRect()->minimumMargins();
    fitTicks(*m_plot->xAxis, width - margins.left() - margins.right());
}

void PlotView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_heading) {
        applyTheme(*m_plot, palette());
        schedule();
    }
    QWidget::changeEvent(event);
}

void PlotView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    schedule();
}

} // namespace earwright::ui
