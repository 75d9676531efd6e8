#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace earwright::run {

struct Point {
    int64_t step = 0;
    double wallTime = 0; ///< seconds since the epoch
    double value = 0; ///< NaN and Inf stay what they are
};

/// Every point of one curve in order of step, with a min/max pyramid so that a plot of any width is
/// fed in O(width).
class Series final {
public:
    /// In order of step: a point that comes late is put behind those of its own step.
    void append(Point point);
    void dropAfterStep(int64_t step);
    const std::vector<Point>& points() const { return m_points; }
    size_t nonFiniteCount() const { return m_nonFinite; }

    /// Index of the first point at or after `step`.
    size_t lowerBoundStep(int64_t step) const;

    /// At most about 2 * `buckets` finite points between two indices [begin, end), the least and
    /// the greatest of each bucket in order: the global extremes are always among them. A range of
    /// no more than 2 * `buckets` points comes whole, without those that are not finite.
    std::vector<Point> minMax(size_t begin, size_t end, size_t buckets) const;

private:
    /// Indices of the extremes of some points; kNone where none of them is finite.
    struct MinMax {
        uint32_t least = kNone;
        uint32_t greatest = kNone;
    };
    static constexpr uint32_t kNone = UINT32_MAX;

    void include(MinMax& extremes, uint32_t index) const;
    void include(MinMax& extremes, const MinMax& other) const;
    MinMax extremes(size_t begin, size_t end) const;
    void truncate(size_t size);
    void push(Point point);

    std::vector<Point> m_points;
    std::vector<std::vector<MinMax>>
        m_pyramid; ///< level k: one entry for each 16^(k+1) points that are complete
    size_t m_nonFinite = 0;
};

} // namespace earwright::run
