#pragma once

#include "core/run/run_folder.h"

#include <QString>

#include <vector>

namespace kymo::ui {

/// What keeps waiting runs from being started.
struct QueueHindrance {
    bool isHeld = false; ///< the user asked that no more be started
    bool isUnserved = false; ///< runs wait, and no process is there that would start them
    QString error {}; ///< the queue cannot be read: why
};

/// One look at a runs folder.
struct RunListing {
    std::vector<run::RunSummary> runs; ///< in run::listRuns's order
    QueueHindrance hindrance;
};

} // namespace kymo::ui
