#pragma once

#include "core/run/series.h"

#include <cstddef>
#include <vector>

namespace earwright::ui {

/// What a plot's x axis counts.
enum class XAxis { Step, RelativeTime, WallTime, Epoch };

/// What x values of a curve are relative to.
struct CurveOrigin {
    double startTime = 0; ///< start of the run's first attempt, seconds since the epoch (1970)
    double stepsPerEpoch = 0; ///< 0 = unknown: the epoch axis then shows steps
};

/// From one wall time to another, seconds since 1970.
struct TimeSpan {
    double begin = 0;
    double end = 0;
};

/// x of a point: optimizer step, seconds since the start, seconds since 1970, or epochs (1.5 = in
/// the middle of the second).
double keyOf(const run::Point& point, XAxis axis, const CurveOrigin& origin);

/// Indices [begin, end).
struct IndexRange {
    size_t begin = 0;
    size_t end = 0;
    size_t size() const { return end - begin; }
};

/// The points with a key in [lower, upper] and one more on each side, so that a line reaches the
/// edge. O(log n); wall time must not run backwards.
IndexRange visibleIndices(const std::vector<run::Point>& points, XAxis axis,
    const CurveOrigin& origin, double lower, double upper);

/// Index of the point whose key is nearest; `points` must not be empty. O(log n).
size_t nearestIndex(
    const std::vector<run::Point>& points, XAxis axis, const CurveOrigin& origin, double key);

/// What to draw of `visible` in a plot `width` pixels wide: every point where there are at most two
/// a pixel, else the least and greatest of each pixel. O(width).
struct Fed {
    std::vector<run::Point> points;
    bool exact = false; ///< all points, NaN and Inf included
};
Fed feed(const run::Series& series, IndexRange visible, size_t width);

} // namespace earwright::ui
