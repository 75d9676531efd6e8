#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kymo::run {

struct Point {
    int64_t step = 0;
    double wallTime = 0; ///< seconds since the epoch
    double value = 0; ///< NaN and Inf stay what they are
};

/// Every point of one curve in order of step, with a min/max pyramid so that a plot of any width is fed in O(width).
class Series final {
public:
    void append(Point point);
    void dropAfterStep(int64_t step);
    const std::vector<Point>& points() const { return m_points; }
    size_t nonFiniteCount() const { return m_nonFinite; }

    /// At most about 2 * `buckets` finite points between two indices [begin, end), the least and the greatest of each bucket in
    /// order: the global extremes are always among them.
    std::vector<Point> minMax(size_t begin, size_t end, size_t buckets) const;

private:
    struct MinMax {
        uint32_t least;
        uint32_t greatest;
    };
    std::vector<Point> m_points;
    std::vector<std::vector<MinMax>> m_pyramid; ///< level k summarises 16^(k+1) points each
    size_t m_nonFinite = 0;
};

} // namespace kymo::run
