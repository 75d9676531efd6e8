#include "ui/widgets/plot_graphs.h"

#include "ui/widgets/qcp.h"

#include <QFontMetrics>

#include <algorithm>
#include <cmath>
#include <limits>

namespace earwright::ui {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTopRail = 0.965;
constexpr double kBottomRail = 0.035;
constexpr int kNarrowestLabel = 40; ///< pixels
constexpr int kPixelsADot = 8; ///< closer together, dots would hide the line

QCPGraph* addRail(QCustomPlot& plot, QCPScatterStyle::ScatterShape shape)
{
    QCPGraph* rail = plot.addGraph(plot.xAxis, plot.yAxis2);
    rail->setLineStyle(QCPGraph::lsNone);
    rail->setScatterStyle(QCPScatterStyle(shape, 8));
    rail->setAdaptiveSampling(false);
    return rail;
}

void setRail(QCPGraph& rail, const std::vector<double>& keys, double height)
{
    QVector<QCPGraphData> data;
    for (const double key : keys)
        data.append({ key, height });
    rail.data()->set(data);
}

bool isDrawable(double value, bool isLogY)
{
    return std::isfinite(value) && (!isLogY || value > 0);
}

QVector<QCPGraphData> toGraphData(
    const std::vector<run::Point>& points, const PlotWindow& window, const CurveOrigin& origin)
{
    QVector<QCPGraphData> data;
    data.reserve(static_cast<qsizetype>(points.size()));
    for (const run::Point& point : points)
        data.append(
            { keyOf(point, window.axis, origin), std::isfinite(point.value) ? point.value : kNan });
    return data;
}

std::optional<Extent> extentOf(const std::vector<run::Point>& points, const PlotWindow& window)
{
    std::optional<Extent> extent;
    for (const run::Point& point : points) {
        if (isDrawable(point.value, window.isLogY))
            extent = united(extent, Extent { point.value, point.value });
    }
    return extent;
}

} // namespace

std::optional<Extent> united(std::optional<Extent> a, std::optional<Extent> b)
{
    if (!a || !b)
        return a ? a : b;
    return Extent { std::min(a->lower, b->lower), std::max(a->upper, b->upper) };
}

CurveGraphs::CurveGraphs(QCustomPlot& plot)
    : m_plot(plot)
    , m_raw(plot.addGraph())
    , m_average(plot.addGraph())
    , m_dots(plot.addGraph())
    , m_nanRail(addRail(plot, QCPScatterStyle::ssCross))
    , m_infRail(addRail(plot, QCPScatterStyle::ssTriangle))
    , m_floorRail(addRail(plot, QCPScatterStyle::ssTriangleInverted))
{
    // The points are thinned already, extremes kept.
    m_raw->setAdaptiveSampling(false);
    m_average->setAdaptiveSampling(false);
    m_dots->setAdaptiveSampling(false);
    m_dots->setLineStyle(QCPGraph::lsNone);
    m_dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 5));
}

CurveGraphs::~CurveGraphs()
{
    for (QCPGraph* graph : { m_raw, m_average, m_dots, m_nanRail, m_infRail, m_floorRail })
        m_plot.removeGraph(graph);
}

void CurveGraphs::setCurve(PlotCurve curve)
{
    m_curve = std::move(curve);
}

void CurveGraphs::setAntialiased(bool isAntialiased)
{
    for (QCPGraph* graph : { m_raw, m_average })
        graph->setAntialiased(isAntialiased);
}

std::optional<Extent> CurveGraphs::keyExtent(XAxis axis) const
{
    const auto& points = m_curve.series->points();
    if (points.empty())
        return std::nullopt;
    return Extent { keyOf(points.front(), axis, m_curve.origin),
        keyOf(points.back(), axis, m_curve.origin) };
}

void CurveGraphs::fill(const PlotWindow& window)
{
    m_derived.update(*m_curve.series, window.smoothing);
    const IndexRange visible = visibleIndices(
        m_curve.series->points(), window.axis, m_curve.origin, window.lower, window.upper);
    const Fed fed = feed(*m_curve.series, visible, static_cast<size_t>(std::max(1, window.width)));
    fillLine(fed, window);
    fillDots(fed, window);
    fillRails(window);
    applyPens(window.smoothing > 0);
}

void CurveGraphs::fillLine(const Fed& fed, const PlotWindow& window)
{
    m_fed = fed.points;
    m_isThinned = !fed.exact;
    m_values = extentOf(m_fed, window);
    m_raw->data()->set(toGraphData(m_fed, window, m_curve.origin));
    const run::Series& smoothed = m_derived.smoothed();
    const IndexRange visible = visibleIndices(
        smoothed.points(), window.axis, m_curve.origin, window.lower, window.upper);
    const Fed average = feed(smoothed, visible, static_cast<size_t>(std::max(1, window.width)));
    m_average->data()->set(toGraphData(average.points, window, m_curve.origin));
}

void CurveGraphs::fillDots(const Fed& fed, const PlotWindow& window)
{
    const bool isSparse = fed.exact
        && fed.points.size() * kPixelsADot <= static_cast<size_t>(std::max(1, window.width));
    const auto isGap = [&](size_t index) {
        return index >= fed.points.size() || !isDrawable(fed.points[index].value, window.isLogY);
    };
    QVector<QCPGraphData> data;
    for (size_t i = 0; i < fed.points.size(); ++i) {
        // Index 0 has no point before it: i - 1 is then past every end.
        if (!isGap(i) && (isSparse || (isGap(i - 1) && isGap(i + 1))))
            data.append({ keyOf(fed.points[i], window.axis, m_curve.origin), fed.points[i].value });
    }
    m_dots->data()->set(data);
}

void CurveGraphs::fillRails(const PlotWindow& window)
{
    const int columns = std::max(1, window.width / 4);
    setRail(*m_nanRail,
        markerKeys(m_derived.nans(), m_curve, window.axis, window.lower, window.upper, columns),
        kTopRail);
    setRail(*m_infRail,
        markerKeys(m_derived.infs(), m_curve, window.axis, window.lower, window.upper, columns),
        kTopRail);
    std::vector<double> belowLog;
    for (const run::Point& point : m_fed) {
        if (window.isLogY && std::isfinite(point.value) && point.value <= 0)
            belowLog.push_back(keyOf(point, window.axis, m_curve.origin));
    }
    setRail(*m_floorRail, belowLog, kBottomRail);
}

void CurveGraphs::applyPens(bool isSmoothed)
{
    QColor faint = m_curve.color;
    faint.setAlphaF(isSmoothed ? 0.3F : 1.0F);
    // Where every pixel column is a stroke, a wider pen shows no more and costs several times as
    // much.
    const double width = isSmoothed || m_isThinned ? 1.0 : 1.6;
    m_raw->setPen(QPen(faint, width, isSmoothed ? Qt::SolidLine : m_curve.dash));
    m_average->setPen(QPen(m_curve.color, 2.0, m_curve.dash));
    m_dots->setPen(QPen(faint, 1.0));
    for (QCPGraph* rail : { m_nanRail, m_infRail, m_floorRail })
        rail->setPen(QPen(m_curve.color, 1.6));
}

std::vector<run::Point> CurveGraphs::points() const
{
    std::vector<run::Point> points = m_fed;
    for (size_t i = 0; i < points.size(); ++i) {
        const double drawn = m_raw->data()->at(static_cast<int>(i))->value;
        if (!std::isinf(points[i].value))
            points[i].value = drawn;
    }
    return points;
}

void CurveGraphs::addToLegend(const QFontMetrics& metrics, int widthPx)
{
    const auto text = [this](const PlotCurve& curve) {
        return labelWithCounts(curve, m_derived.nans().size(), m_derived.infs().size());
    };
    PlotCurve curve = m_curve;
    const int excess = metrics.horizontalAdvance(text(curve)) - widthPx;
    if (excess > 0) {
        // The name gives way, never the counts.
        const QString label = labelWithCounts(curve, 0, 0);
        const int room = std::max(kNarrowestLabel, metrics.horizontalAdvance(label) - excess);
        curve.label = metrics.elidedText(label, Qt::ElideMiddle, room);
    }
    QCPGraph* shown = m_derived.smoothed().points().empty() ? m_raw : m_average;
    shown->setName(text(curve));
    shown->addToLegend();
}

} // namespace earwright::ui
