#include "ui/widgets/plot_curve.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace earwright::ui {

namespace {

// NaN differs from itself, so values are compared by kind where they are not finite.
bool isSame(const run::Point& a, const run::Point& b)
{
    return a.step == b.step && a.wallTime == b.wallTime
        && (a.value == b.value || (std::isnan(a.value) && std::isnan(b.value)));
}

constexpr int kLongestLabel = 36;

QString shortened(const QString& text)
{
    const auto half = kLongestLabel / 2;
    return text.size() <= kLongestLabel ? text
                                        : text.left(half - 1) + QChar(0x2026) + text.right(half);
}

} // namespace

void CurveDerived::update(const run::Series& series, double smoothing)
{
    if (smoothing != m_smoothing || !continues(series))
        restart(smoothing);
    if (smoothing == 0 && series.nonFiniteCount() == 0) {
        m_count = series.points().size();
    } else {
        for (; m_count < series.points().size(); ++m_count)
            add(series.points()[m_count], m_count);
    }
    if (m_count > 0)
        m_last = series.points()[m_count - 1];
}

void CurveDerived::restart(double smoothing)
{
    *this = CurveDerived();
    m_smoothing = smoothing;
}

void CurveDerived::add(const run::Point& point, size_t index)
{
    if (!std::isfinite(point.value)) {
        (std::isnan(point.value) ? m_nans : m_infs).push_back(index);
        return;
    }
    if (m_smoothing == 0)
        return;
    m_average = m_smoothing * m_average + (1 - m_smoothing) * point.value;
    m_weight = m_smoothing * m_weight + (1 - m_smoothing);
    m_smoothed.append({ point.step, point.wallTime, m_average / m_weight });
}

bool CurveDerived::continues(const run::Series& series) const
{
    return m_count == 0
        || (series.points().size() >= m_count && isSame(series.points()[m_count - 1], m_last));
}

bool crossesGap(const std::vector<TimeSpan>& gaps, double fromTime, double toTime)
{
    constexpr double kShare = 0.1;
    double crossed = 0;
    for (const TimeSpan& gap : gaps)
        crossed += std::max(0.0, std::min(gap.end, toTime) - std::max(gap.begin, fromTime));
    return crossed > kShare * (toTime - fromTime);
}

std::vector<double> markerKeys(const std::vector<size_t>& indices, const PlotCurve& curve,
    XAxis axis, double lower, double upper, int columns)
{
    const auto& points = curve.series->points();
    const auto key = [&](size_t index) { return keyOf(points[index], axis, curve.origin); };
    const double column = (upper - lower) / columns;
    std::vector<double> keys;
    auto next = std::partition_point(
        indices.begin(), indices.end(), [&](size_t index) { return key(index) < lower; });
    while (next != indices.end() && key(*next) <= upper) {
        keys.push_back(key(*next));
        next = std::partition_point(std::next(next), indices.end(),
            [&](size_t index) { return key(index) < keys.back() + column; });
    }
    return keys;
}

QString labelWithCounts(const PlotCurve& curve, size_t nans, size_t infs)
{
    QStringList counts;
    if (nans > 0)
        counts.append(QCoreApplication::translate("PlotView", "%1 NaN").arg(nans));
    if (infs > 0)
        counts.append(QCoreApplication::translate("PlotView", "%1 Inf").arg(infs));
    const QString label = shortened(curve.label.isEmpty() ? curve.name : curve.label);
    return counts.isEmpty() ? label
                            : label + QStringLiteral(" · ") + counts.join(QStringLiteral(", "));
}

} // namespace earwright::ui
