#pragma once

#include "ui/widgets/plot_graphs.h"

#include <memory>
#include <vector>

class QCustomPlot;
class QString;
class QWidget;

namespace earwright::ui {

/// Title and legend of a plot, in rows above the axes: over them they would hide curves. GUI thread
/// only.
class PlotHeading final {
public:
    /// In the font of `view`, which the plot is in.
    PlotHeading(QCustomPlot& plot, const QString& title, const QWidget& view);

    /// The legend of these curves in a plot of a width in pixels; one alone needs none, unless it
    /// has values that are no numbers.
    void showCurves(const std::vector<std::unique_ptr<CurveGraphs>>& graphs, int width);

private:
    void buildLegend();

    QCustomPlot& m_plot;
    const QWidget& m_view;
};

} // namespace earwright::ui
