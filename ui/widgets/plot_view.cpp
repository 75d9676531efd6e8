#include "ui/widgets/plot_view.h"

#include "ui/widgets/plot_crosshair.h"
#include "ui/widgets/plot_theme.h"
#include "ui/widgets/plot_ticks.h"
#include "ui/widgets/qcp.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace earwright::ui {

namespace {

constexpr int kFrameMs = 33; ///< at most 30 frames a second
constexpr int kLegendIconWidth = 22;
constexpr int kLegendRoom = 60; ///< icon and margins
constexpr size_t kMostInLegend = 12;
constexpr size_t kMostAntialiased = 12; ///< curves; more would cost too much a frame

/// Of axes that nothing is to be seen on; a logarithmic one shows no 0.
constexpr Extent kNothing { 0, 1 };
constexpr Extent kNothingLog { 0.1, 1 };

Extent padded(Extent extent, bool isLogY)
{
    if (isLogY) {
        const double factor
            = extent.upper > extent.lower ? std::pow(extent.upper / extent.lower, 0.06) : 2.0;
        return { extent.lower / factor, extent.upper * factor };
    }
    const double span = extent.upper - extent.lower;
    const double flat = extent.upper == 0 ? 1 : std::abs(extent.upper) * 0.1;
    const double padding = span > 0 ? 0.06 * span : flat;
    return { extent.lower - padding, extent.upper + padding };
}

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
    buildHeading();
    m_crosshair = std::make_unique<PlotCrosshair>(*m_plot);
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
    applyYScale(*m_plot->yAxis, m_isLogY);
    m_plot->installEventFilter(this);
}

// Title and legend stand in rows above the axes: over them they would hide curves.
void PlotView::buildHeading()
{
    QCPLayoutGrid* rows = m_plot->plotLayout();
    rows->setRowSpacing(2);
    rows->insertRow(0);
    rows->insertRow(1);
    QFont bold = font();
    bold.setBold(true);
    m_title = new QCPTextElement(m_plot, m_spec.title, bold);
    m_title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    m_title->setMargins(QMargins(10, 6, 10, 0));
    rows->addElement(0, 0, m_title);
    m_plot->axisRect()->insetLayout()->take(m_plot->legend);
    auto* legendRow = new QCPLayoutGrid;
    legendRow->addElement(0, 0, m_plot->legend);
    legendRow->addElement(0, 1, new QCPLayoutElement(m_plot));
    legendRow->setColumnStretchFactor(0, 0.0001);
    rows->addElement(1, 0, legendRow);
    rows->setRowStretchFactor(1, 0.0001);
    m_plot->legend->setVisible(true);
    m_plot->legend->setFillOrder(QCPLayoutGrid::foColumnsFirst, false);
    m_plot->legend->setMargins(QMargins(10, 0, 4, 4));
    // As tall as the text: the legend clips what hangs below its icons.
    m_plot->legend->setIconSize(kLegendIconWidth, fontMetrics().height() + 3);
    m_plot->legend->setColumnSpacing(14);
    m_plot->legend->setRowSpacing(0);
}

void PlotView::connectPlot()
{
    const auto ranged = qOverload<const QCPRange&>(&QCPAxis::rangeChanged);
    connect(&m_frame, &QTimer::timeout, this, [this] {
        if (isVisible())
            refresh();
    });
    connect(m_plot->xAxis, ranged, this, [this] { onUserRange(true); });
    connect(m_plot->yAxis, ranged, this, [this] { onUserRange(false); });
    connect(m_plot, &QCustomPlot::mouseMove, this, &PlotView::onMouseMove);
    connect(m_plot, &QCustomPlot::mousePress, this, &PlotView::onMousePress);
    connect(m_plot, &QCustomPlot::mouseWheel, this, &PlotView::onWheel);
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, &PlotView::showAll);
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
    m_home.reset();
    applyXAxis(*m_plot->xAxis, axis);
    hideCrosshair();
    resetZoom();
}

void PlotView::setSmoothing(double smoothing)
{
    m_smoothing = std::clamp(smoothing, 0.0, 0.9999);
    schedule();
}

void PlotView::setLogY(bool isLogY)
{
    m_isLogY = isLogY;
    applyYScale(*m_plot->yAxis, isLogY);
    m_followsY = true;
    schedule();
}

void PlotView::setHome(std::optional<Extent> home)
{
    m_home = home;
    schedule();
}

void PlotView::zoomX(double lower, double upper)
{
    m_followsX = false;
    m_isSettingRange = true;
    m_plot->xAxis->setRange(lower, upper);
    m_isSettingRange = false;
    schedule();
}

void PlotView::resetZoom()
{
    m_followsX = true;
    m_followsY = true;
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
    m_isSettingRange = true;
    fitX();
    const QCPRange range = m_plot->xAxis->range();
    for (const auto& graphs : m_graphs)
        graphs->fill({ m_axis, range.lower, range.upper, width, m_smoothing, m_isLogY });
    fitY();
    m_isSettingRange = false;
    updateLegend(width);
}

void PlotView::fitX()
{
    if (!m_followsX)
        return;
    const Extent home = (m_home ? m_home : keyExtent()).value_or(kNothing);
    const double span = home.upper - home.lower;
    const double padding = span > 0 ? 0.015 * span : 0.5;
    m_plot->xAxis->setRange(home.lower - padding, home.upper + padding);
}

void PlotView::fitY()
{
    std::optional<Extent> extent;
    for (const auto& graphs : m_graphs)
        extent = united(extent, graphs->valueExtent());
    if (!m_followsY)
        return;
    const Extent nothing = m_isLogY ? kNothingLog : kNothing;
    const Extent range = extent ? padded(*extent, m_isLogY) : nothing;
    m_plot->yAxis->setRange(range.lower, range.upper);
}

void PlotView::updateLegend(int width)
{
    size_t nonFinite = 0;
    for (const auto& graphs : m_graphs)
        nonFinite += graphs->nonFiniteCount();
    m_plot->legend->clearItems();
    if (m_graphs.size() < 2 && nonFinite == 0)
        return;
    const size_t shown = std::min(m_graphs.size(), kMostInLegend);
    for (size_t i = 0; i < shown; ++i)
        m_graphs[i]->addToLegend(fontMetrics(), width - kLegendRoom);
    int widest = 1;
    for (int i = 0; i < m_plot->legend->itemCount(); ++i) {
        // A grid with more than one row has empty cells, which count.
        if (const QCPAbstractLegendItem* item = m_plot->legend->item(i))
            widest = std::max(widest, item->minimumOuterSizeHint().width());
    }
    m_plot->legend->setWrap(std::max(1, (width - 20) / (widest + m_plot->legend->columnSpacing())));
    m_plot->legend->setFillOrder(QCPLayoutGrid::foColumnsFirst, true);
}

void PlotView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_title) {
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
