#pragma once

#include "ui/compare/compare_run.h"
#include "ui/compare/curve_band.h"
#include "ui/widgets/plot_view.h"

#include <QStringList>

#include <vector>

namespace earwright::ui {

/// Curves that lie over each other can be told apart up to this number.
constexpr size_t kMostCurves = 12;

/// The plots of a comparison in order: train loss, valid loss, WER, CER, and of runs with a list of
/// hotwords their recall, precision and F1, of all and of those in no training text.
std::vector<PlotSpec> comparePlots();
/// A curve a run in each; runs of one colour differ in their dash.
std::vector<std::vector<PlotCurve>> compareCurves(const std::vector<CompareRun>& runs);

/// What the plots of a comparison show. Up to kMostCurves in a plot are drawn each; of more the
/// band from the least to the greatest, the median, the two runs that end least and greatest, whose
/// labels say so, and those that are asked for. It remembers what it has made of each run. GUI
/// thread only.
class DrawnCurves final {
public:
    /// `single`: paths of runs that are drawn whatever the number; beyond kMostCurves the first 8.
    std::vector<std::vector<PlotCurve>> of(
        const std::vector<CompareRun>& runs, XAxis axis, const QStringList& single);

private:
    std::vector<CurveBand> m_bands; ///< one a plot
};

} // namespace earwright::ui
