#include "core/run/series.h"

#include <algorithm>
#include <cmath>

namespace earwright::run {
namespace {

constexpr size_t kFanBits = 4; ///< 16 entries of a level make one of the next

size_t pointsOfEntry(size_t level)
{
    return size_t { 1 } << (kFanBits * (level + 1));
}

} // namespace

void Series::append(Point point)
{
    if (m_points.empty() || m_points.back().step <= point.step) {
        push(point);
        return;
    }
    const auto place = std::upper_bound(m_points.begin(), m_points.end(), point.step,
        [](int64_t step, const Point& other) { return step < other.step; });
    const std::vector<Point> later(place, m_points.end());
    truncate(static_cast<size_t>(place - m_points.begin()));
    push(point);
    for (const Point& moved : later)
        push(moved);
}

void Series::dropAfterStep(int64_t step)
{
    truncate(lowerBoundStep(step + 1));
}

size_t Series::lowerBoundStep(int64_t step) const
{
    const auto found = std::lower_bound(m_points.begin(), m_points.end(), step,
        [](const Point& point, int64_t wanted) { return point.step < wanted; });
    return static_cast<size_t>(found - m_points.begin());
}

std::vector<Point> Series::minMax(size_t begin, size_t end, size_t buckets) const
{
    end = std::min(end, m_points.size());
    std::vector<Point> result;
    if (begin >= end || buckets == 0)
        return result;
    const auto add = [&](uint32_t index) {
        if (index != kNone && std::isfinite(m_points[index].value))
            result.push_back(m_points[index]);
    };
    const size_t count = end - begin;
    if (count <= 2 * buckets) {
        for (size_t i = begin; i < end; ++i)
            add(static_cast<uint32_t>(i));
        return result;
    }
    result.reserve(2 * buckets);
    for (size_t bucket = 0; bucket < buckets; ++bucket) {
        const MinMax found
            = extremes(begin + count * bucket / buckets, begin + count * (bucket + 1) / buckets);
        add(std::min(found.least, found.greatest));
        if (found.least != found.greatest)
            add(std::max(found.least, found.greatest));
    }
    return result;
}

void Series::include(MinMax& extremes, uint32_t index) const
{
    const double value = m_points[index].value;
    if (!std::isfinite(value))
        return;
    if (extremes.least == kNone || value < m_points[extremes.least].value)
        extremes.least = index;
    if (extremes.greatest == kNone || value > m_points[extremes.greatest].value)
        extremes.greatest = index;
}

void Series::include(MinMax& extremes, const MinMax& other) const
{
    if (other.least == kNone)
        return;
    include(extremes, other.least);
    include(extremes, other.greatest);
}

/// Walks from `begin`, each time by the largest whole entry that starts there and does not pass
/// `end`.
Series::MinMax Series::extremes(size_t begin, size_t end) const
{
    MinMax result;
    while (begin < end) {
        size_t levels = 0;
        while (levels < m_pyramid.size() && begin % pointsOfEntry(levels) == 0
            && begin + pointsOfEntry(levels) <= end)
            ++levels;
        if (levels == 0) {
            include(result, static_cast<uint32_t>(begin++));
            continue;
        }
        const size_t width = pointsOfEntry(levels - 1);
        include(result, m_pyramid[levels - 1][begin / width]);
        begin += width;
    }
    return result;
}

void Series::truncate(size_t size)
{
    const auto notFinite = [](const Point& point) { return !std::isfinite(point.value); };
    const auto first = m_points.begin() + static_cast<std::ptrdiff_t>(size);
    m_nonFinite -= static_cast<size_t>(std::count_if(first, m_points.end(), notFinite));
    m_points.erase(first, m_points.end());
    for (size_t level = 0; level < m_pyramid.size(); ++level)
        m_pyramid[level].resize(size / pointsOfEntry(level));
}

/// An entry is made once, when its last point arrives: appending costs 1/15 of an entry on average.
void Series::push(Point point)
{
    m_points.push_back(point);
    m_nonFinite += std::isfinite(point.value) ? 0 : 1;
    const size_t size = m_points.size();
    for (size_t level = 0; size % pointsOfEntry(level) == 0; ++level) {
        if (level == m_pyramid.size())
            m_pyramid.emplace_back();
        const size_t width = pointsOfEntry(level);
        MinMax entry;
        const size_t step = level == 0 ? 1 : pointsOfEntry(level - 1);
        for (size_t begin = size - width; begin < size; begin += step) {
            if (level == 0)
                include(entry, static_cast<uint32_t>(begin));
            else
                include(entry, m_pyramid[level - 1][begin / step]);
        }
        m_pyramid[level].push_back(entry);
    }
}

} // namespace earwright::run
