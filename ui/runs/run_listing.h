#pragma once

#include "core/run/run_folder.h"

#include <QString>

#include <optional>
#include <vector>

namespace earwright::ui {

/// What keeps waiting runs from being started.
struct QueueHindrance {
    bool isHeld = false; ///< the user asked that no more be started
    bool isUnserved = false; ///< runs wait, and no process is there that would start them
    QString error {}; ///< the queue, or the whole folder, cannot be read: why
};

/// One look at a runs folder.
struct RunListing {
    /// In run::listRuns's order; none where the folder could not be read: the hindrance says why.
    std::optional<std::vector<run::RunSummary>> runs;
    QueueHindrance hindrance;
};

} // namespace earwright::ui
