#include "ui/widgets/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace earwright::ui {

double keyOf(const run::Point& point, XAxis axis, const CurveOrigin& origin)
{
    const auto step = static_cast<double>(point.step);
    switch (axis) {
    case XAxis::RelativeTime:
        return point.wallTime - origin.startTime;
    case XAxis::WallTime:
        return point.wallTime;
    case XAxis::Epoch:
        return origin.stepsPerEpoch > 0 ? step / origin.stepsPerEpoch : step;
    case XAxis::Step:
        break;
    }
    return step;
}

IndexRange visibleIndices(const std::vector<run::Point>& points, XAxis axis,
    const CurveOrigin& origin, double lower, double upper)
{
    const auto first = std::partition_point(points.begin(), points.end(),
        [&](const run::Point& point) { return keyOf(point, axis, origin) < lower; });
    const auto last = std::partition_point(first, points.end(),
        [&](const run::Point& point) { return keyOf(point, axis, origin) <= upper; });
    const auto begin = static_cast<size_t>(first - points.begin());
    const auto end = static_cast<size_t>(last - points.begin());
    return { begin > 0 ? begin - 1 : 0, std::min(end + 1, points.size()) };
}

size_t nearestIndex(
    const std::vector<run::Point>& points, XAxis axis, const CurveOrigin& origin, double key)
{
    const auto after = std::partition_point(points.begin(), points.end(),
        [&](const run::Point& point) { return keyOf(point, axis, origin) < key; });
    if (after == points.begin())
        return 0;
    const auto before = std::prev(after);
    const bool isAfterNearer = after != points.end()
        && keyOf(*after, axis, origin) - key < key - keyOf(*before, axis, origin);
    return static_cast<size_t>((isAfterNearer ? after : before) - points.begin());
}

Fed feed(const run::Series& series, IndexRange visible, size_t width)
{
    if (visible.size() > 2 * width)
        return { series.minMax(visible.begin, visible.end, width), false };
    const auto begin = series.points().begin() + static_cast<std::ptrdiff_t>(visible.begin);
    return { { begin, begin + static_cast<std::ptrdiff_t>(visible.size()) }, true };
}

} // namespace earwright::ui
