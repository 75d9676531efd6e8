#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/run/run_folder.h"

#include <string>

namespace kymo::cli {

/// Runs a run to its end with progress on standard error and the result on standard output. Ctrl-C
/// stops gracefully, a second one at once. Returns an exit code.
int superviseAndReport(const run::RunFolder& folder, const plan::Plan& plan);

/// A run by path or by its name below the runs root. The error lists what is there.
Result<run::RunFolder> findRun(const std::string& nameOrPath);

} // namespace kymo::cli
