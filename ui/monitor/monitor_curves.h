#pragma once

#include "core/run/snapshot.h"
#include "ui/widgets/plot_view.h"

#include <memory>
#include <vector>

namespace earwright::ui {

/// The plots of the monitor page in order, and their curves: those of `curvesOf` belong to the
/// plots of `monitorPlots`.
std::vector<PlotSpec> monitorPlots();
std::vector<std::vector<PlotCurve>> monitorCurves(
    const QString& runPath, const std::shared_ptr<const run::Snapshot>& snapshot);
/// Where the run was paused, went on or was told another rate, in words.
std::vector<PlotMark> monitorMarks(const run::Snapshot& snapshot);

/// One curve of a snapshot, which stays alive as long as the curve; nothing where the run has no
/// point of such a tag, nor of the WER of texts that are scored by character.
struct CurveSource {
    std::shared_ptr<const run::Snapshot> snapshot;
    std::string tag;
    QString name;
    QColor color;
    Qt::PenStyle dash = Qt::SolidLine;
};
std::optional<PlotCurve> curveOf(const CurveSource& source);

} // namespace earwright::ui
