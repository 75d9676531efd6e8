#pragma once

#include "ui/compare/compare_run.h"
#include "ui/widgets/plot_view.h"

#include <vector>

namespace earwright::ui {

/// The plots of a comparison in order: train loss, valid loss, WER, CER, and of runs with a list of
/// hotwords their recall, precision and F1, of all and of those in no training text.
std::vector<PlotSpec> comparePlots();
/// A curve a run in each; runs of one colour differ in their dash.
std::vector<std::vector<PlotCurve>> compareCurves(const std::vector<CompareRun>& runs);

} // namespace earwright::ui
