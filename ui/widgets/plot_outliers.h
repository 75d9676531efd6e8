#pragma once

#include "ui/widgets/plot_graphs.h"

#include <memory>
#include <optional>
#include <vector>

class QCPItemText;
class QCustomPlot;

namespace earwright::ui {

/// The values between which a y axis shows what it has to show: none where no value is so far from
/// the others that they would be a flat line. Half of the values are less than 1/1000 of the range
/// apart there, and what lies 100 times as far from the median is left out. A third of the values
/// may be such.
std::optional<Extent> fenceOf(std::vector<double> values);

/// Leaves single values out of a plot's y range that would flatten all others, as 9e21 of a run
/// that diverged, marks them at the edge and counts them. GUI thread only.
class PlotOutliers final {
public:
    explicit PlotOutliers(QCustomPlot& plot);

    using Graphs = std::vector<std::unique_ptr<CurveGraphs>>;
    /// Of curves that were filled for this window: what the y axis is to show. Without `isClipped`
    /// all of it.
    std::optional<Extent> show(const Graphs& graphs, const PlotWindow& window, bool isClipped);

private:
    void tell(size_t above, size_t below, bool isThinned);

    QCustomPlot& m_plot;
    QCPItemText* m_note = nullptr; ///< once there are outliers
};

} // namespace earwright::ui
