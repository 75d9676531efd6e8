#pragma once

#include "app/cli/arguments.h"
#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/run/event.h"
#include "core/run/run_folder.h"

#include <string>
#include <vector>

namespace earwright::cli {

/// Runs a run to its end with progress on standard error and the result on standard output. Ctrl-C
/// stops gracefully, a second one at once. `notes` go into its log first. Returns an exit code.
int superviseAndReport(const run::RunFolder& folder, const plan::Plan& plan,
    const std::vector<run::Message>& notes = {});

/// A run by path or by its name below `root`. The error lists what is there.
Result<run::RunFolder> findRun(
    const std::string& nameOrPath, const std::filesystem::path& root = run::defaultRunsRoot());
/// The run that a command line names first, below the folder of its --runs-dir where it has one.
Result<run::RunFolder> namedRun(const Arguments& arguments);

} // namespace earwright::cli
