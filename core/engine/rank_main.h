#pragma once

#include "core/run/run_folder.h"

namespace earwright::engine {

/// Exit codes of earwright, as the README lists them.
enum ExitCode { kDone = 0, kRecipeErrors = 1, kUsage = 2, kFailed = 3, kStopped = 130 };

/// One rank of a run: `earwright rank RUN_DIR`, started by the supervisor, torchrun, srun or
/// mpirun. The fence at which everything that LibTorch throws becomes a Failure. Returns an
/// ExitCode.
int runRank(const run::RunFolder& folder);

} // namespace earwright::engine
