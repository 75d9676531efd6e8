#pragma once

class QMenu;

namespace earwright::ui {

class PlotView;

/// What can be done with a plot, for its context menu. The menu belongs to the plot.
QMenu* makePlotMenu(PlotView& view);

} // namespace earwright::ui
