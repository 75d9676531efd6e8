#include "ui/widgets/plot_graphs.h"

#include "ui/widgets/qcp.h"

#include <QFontMetrics>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace earwright::ui {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTopRail = 0.965;
constexpr double kBottomRail = 0.035;
constexpr int kNarrowestLabel = 40; ///< pixels
constexpr int kPixelsADot = 8; ///< closer together, dots would hide the line
constexpr float kEdgeOpacity = 0.45F; ///< of a band
constexpr float kBandOpacity = 0.16F;
constexpr float kFaintOpacity = 0.22F; ///< beside a curve that is pointed at

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

/// The points before which a line is interrupted. Where x is no time a pause is no longer than any
/// step.
std::vector<size_t> breaksOf(
    const std::vector<run::Point>& points, const PlotCurve& curve, XAxis axis)
{
    std::vector<size_t> breaks;
    if (curve.gaps.empty() || (axis != XAxis::RelativeTime && axis != XAxis::WallTime))
        return breaks;
    for (size_t i = 1; i < points.size(); ++i) {
        if (crossesGap(curve.gaps, points[i - 1].wallTime, points[i].wallTime))
            breaks.push_back(i);
    }
    return breaks;
}

/// A value that is none interrupts the line.
QVector<QCPGraphData> toGraphData(const std::vector<run::Point>& points, const PlotWindow& window,
    const CurveOrigin& origin, const std::vector<size_t>& breaks = {})
{
    QVector<QCPGraphData> data;
    data.reserve(static_cast<qsizetype>(points.size() + breaks.size()));
    auto nextBreak = breaks.begin();
    for (size_t i = 0; i < points.size(); ++i) {
        const double key = keyOf(points[i], window.axis, origin);
        if (nextBreak != breaks.end() && *nextBreak == i) {
            data.append({ (data.constLast().key + key) / 2, kNan });
            ++nextBreak;
        }
        data.append({ key, std::isfinite(points[i].value) ? points[i].value : kNan });
    }
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
    for (QCPGraph* graph : { m_floor, m_clipRail }) {
        if (graph)
            m_plot.removeGraph(graph);
    }
}

void CurveGraphs::setCurve(PlotCurve curve)
{
    m_curve = std::move(curve);
    if (bool(m_curve.floor) == bool(m_floor))
        return;
    if (m_floor)
        m_plot.removeGraph(std::exchange(m_floor, nullptr));
    else
        m_floor = m_plot.addGraph();
    if (m_floor)
        m_floor->setAdaptiveSampling(false);
    m_raw->setChannelFillGraph(m_floor);
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
    m_derived.update(*m_curve.series, smoothingOf(window));
    const IndexRange visible = visibleIndices(
        m_curve.series->points(), window.axis, m_curve.origin, window.lower, window.upper);
    const Fed fed = feed(*m_curve.series, visible, static_cast<size_t>(std::max(1, window.width)));
    fillLine(fed, window);
    if (m_floor)
        fillFloor(window);
    else
        fillDots(fed, window);
    fillRails(window);
    applyPens(smoothingOf(window) > 0);
}

/// As few points as a band has are fed whole.
void CurveGraphs::fillFloor(const PlotWindow& window)
{
    const std::vector<run::Point>& points = m_curve.floor->points();
    const IndexRange visible
        = visibleIndices(points, window.axis, m_curve.origin, window.lower, window.upper);
    const Fed fed = feed(*m_curve.floor, visible, points.size());
    m_values = united(m_values, extentOf(fed.points, window));
    m_floor->data()->set(toGraphData(fed.points, window, m_curve.origin));
    m_dots->data()->clear();
}

void CurveGraphs::fillLine(const Fed& fed, const PlotWindow& window)
{
    m_fed = fed.points;
    m_isThinned = !fed.exact;
    m_values = extentOf(m_fed, window);
    m_breaks = breaksOf(m_fed, m_curve, window.axis);
    m_raw->data()->set(toGraphData(m_fed, window, m_curve.origin, m_breaks));
    const run::Series& smoothed = m_derived.smoothed();
    const IndexRange visible = visibleIndices(
        smoothed.points(), window.axis, m_curve.origin, window.lower, window.upper);
    const Fed average = feed(smoothed, visible, static_cast<size_t>(std::max(1, window.width)));
    m_average->data()->set(toGraphData(
        average.points, window, m_curve.origin, breaksOf(average.points, m_curve, window.axis)));
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
    const bool isBold = m_emphasis == Emphasis::Bold;
    const double width
        = (isSmoothed || m_isThinned ? 1.0 : 1.6) + (isBold && !isSmoothed ? 1.2 : 0);
    QColor average = m_curve.color;
    if (m_emphasis == Emphasis::Faint) {
        faint.setAlphaF(isSmoothed ? 0.08F : kFaintOpacity);
        average.setAlphaF(kFaintOpacity);
    }
    m_raw->setPen(QPen(faint, width, isSmoothed ? Qt::SolidLine : m_curve.dash));
    m_average->setPen(QPen(average, isBold ? 3.2 : 2.0, m_curve.dash));
    m_raw->setBrush(Qt::NoBrush);
    if (m_floor) {
        QColor edge = m_curve.color;
        edge.setAlphaF(kEdgeOpacity);
        QColor between = m_curve.color;
        between.setAlphaF(kBandOpacity);
        m_raw->setPen(QPen(edge, 1.0));
        m_floor->setPen(QPen(edge, 1.0));
        m_raw->setBrush(between);
    }
    m_dots->setPen(QPen(faint, 1.0));
    for (QCPGraph* rail : { m_nanRail, m_infRail, m_floorRail })
        rail->setPen(QPen(m_curve.color, 1.6));
}

void CurveGraphs::sample(std::vector<double>& values, size_t most, bool isLogY) const
{
    const size_t stride = m_fed.size() / most + 1;
    for (size_t i = 0; i < m_fed.size(); i += stride) {
        const double value = m_fed[i].value;
        if (isDrawable(value, isLogY))
            values.push_back(isLogY ? std::log10(value) : value);
    }
    if (!m_floor)
        return;
    for (const QCPGraphData& edge : *m_floor->data()) {
        if (isDrawable(edge.value, isLogY))
            values.push_back(isLogY ? std::log10(edge.value) : edge.value);
    }
}

CurveGraphs::Clipped CurveGraphs::clip(const std::optional<Extent>& fence, const PlotWindow& window)
{
    if (!fence) {
        if (m_clipRail)
            m_clipRail->data()->clear();
        return { .values = m_values };
    }
    if (!m_clipRail)
        m_clipRail = addRail(m_plot, QCPScatterStyle::ssDiamond);
    Clipped clipped;
    QVector<QCPGraphData> marks;
    const auto add = [&](double key, double value) {
        if (!isDrawable(value, window.isLogY))
            return;
        if (value >= fence->lower && value <= fence->upper) {
            clipped.values = united(clipped.values, Extent { value, value });
            return;
        }
        const bool isAbove = value > fence->upper;
        ++(isAbove ? clipped.above : clipped.below);
        marks.append({ key, isAbove ? kTopRail : kBottomRail });
    };
    for (const run::Point& point : m_fed)
        add(keyOf(point, window.axis, m_curve.origin), point.value);
    if (m_floor) {
        for (const QCPGraphData& edge : *m_floor->data())
            add(edge.key, edge.value);
    }
    clipped.isThinned = m_isThinned && !marks.isEmpty();
    m_clipRail->setPen(QPen(m_curve.color, 1.6));
    m_clipRail->data()->set(marks);
    return clipped;
}

std::vector<run::Point> CurveGraphs::points() const
{
    std::vector<run::Point> points = m_fed;
    size_t at = 0; // in the graph, where the interruptions are points too
    auto nextBreak = m_breaks.begin();
    for (size_t i = 0; i < points.size(); ++i, ++at) {
        if (nextBreak != m_breaks.end() && *nextBreak == i) {
            ++at;
            ++nextBreak;
        }
        const double drawn = m_raw->data()->at(static_cast<int>(at))->value;
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
