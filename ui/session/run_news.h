#pragma once

#include "core/run/run_folder.h"

#include <QString>
#include <vector>

namespace earwright::ui {

/// What its owner, who looks elsewhere, should hear of a run.
struct RunNews {
    enum class Kind { Done, Failed, Interrupted, NotFinite };

    Kind kind = Kind::Done;
    QString runPath {};
    QString title {};
    QString text {};
};

/// Of the runs in both listings those that ended meanwhile, except by a stop, and those whose loss
/// is no finite number any more. A run that hangs is ended as failed by its heartbeat. Capsules
/// make no news.
std::vector<RunNews> newsBetween(
    const std::vector<run::RunSummary>& before, const std::vector<run::RunSummary>& now);

/// Of a step that was not finite.
RunNews nonFiniteNews(const QString& runPath, const run::NonFinite& event);

} // namespace earwright::ui
