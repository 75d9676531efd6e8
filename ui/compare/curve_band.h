#pragma once

#include "ui/widgets/plot_curve.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace earwright::ui {

/// What many curves of one plot have in common: from the least to the greatest of them, and the
/// median, at 96 places along the x axis. A curve that was given before costs nothing again while
/// its points are the same: new ones of a run cost that run's. GUI thread only.
class CurveBand final {
public:
    struct Lines {
        std::shared_ptr<run::Series> least = std::make_shared<run::Series>();
        std::shared_ptr<run::Series> median = std::make_shared<run::Series>();
        std::shared_ptr<run::Series> greatest = std::make_shared<run::Series>();
        CurveOrigin origin; ///< of all three
    };

    /// Between two points a curve is a straight line; before its first and behind its last it does
    /// not count, nor does a point that is not finite. A place without a curve has no point.
    Lines of(const std::vector<PlotCurve>& curves, XAxis axis);

private:
    /// What one curve is at each place; NaN where it is not there.
    struct Sampled {
        std::shared_ptr<const run::Series> series; ///< kept, so that no other takes its address
        size_t count = 0; ///< of its points
        uint64_t round = 0; ///< the latest in which it was asked for
        std::vector<float> least;
        std::vector<float> middle;
        std::vector<float> greatest;
    };
    void fitGrid(const std::vector<PlotCurve>& curves, XAxis axis);
    void sample(Sampled& sampled, const PlotCurve& curve) const;
    void addBlock(Lines& lines, size_t first) const; ///< places from there on
    double placeOf(size_t index) const; ///< its middle

    XAxis m_axis = XAxis::Step;
    double m_lower = 0;
    double m_width = 0; ///< of a place
    std::unordered_map<QString, Sampled> m_sampled; ///< by the curve's name
    uint64_t m_round = 0;
};

} // namespace earwright::ui
