#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/run/event.h"
#include "core/run/run_folder.h"
#include "core/run/snapshot.h"

#include <filesystem>
#include <functional>
#include <sys/types.h>
#include <vector>

namespace earwright::engine {

/// What the supervisor's owner hands in.
struct Supervision {
    std::filesystem::path rankProgram = "/proc/self/exe"; ///< started as `PROGRAM rank RUN_DIR`
    std::function<void(const run::Snapshot&)> progress
        = [](const run::Snapshot&) {}; ///< a few times a second
    /// How often the user has asked to stop: 0 go on, 1 gracefully with a checkpoint, 2 at once.
    std::function<int()> stopRequests = [] { return 0; };
    /// Told once the process group of the ranks and their keeper is there.
    std::function<void(pid_t group)> started = [](pid_t) {};
    std::vector<run::Message> notes {}; ///< what is first to be said in the run's log
};

/// An Error where nobody may run it now: it is running, or came out of a capsule.
Status checkRunnable(const run::RunFolder& folder);

/// Runs one run to its end in this process: hosts the store, starts one rank process a device,
/// answers on the control socket, carries the first failure to all, starts them anew as the plan
/// allows (max_restarts, min_nproc_per_node), and leaves nothing behind. The folder must hold a
/// plan; a checkpoint in it is taken up. Returns the state it ended in; an Error only where it
/// could not start.
Result<run::State> supervise(
    const run::RunFolder& folder, const plan::Plan& plan, const Supervision& supervision);

} // namespace earwright::engine
