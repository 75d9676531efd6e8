#pragma once

#include "core/run/run_folder.h"

#include <cstdint>

namespace earwright::engine {

/// Exit codes of earwright, as the README lists them.
enum ExitCode { kDone = 0, kRecipeErrors = 1, kUsage = 2, kFailed = 3, kStopped = 130 };

/// One rank of a run: `earwright rank RUN_DIR`, started by the supervisor, torchrun, srun or
/// mpirun. The fence at which everything that LibTorch throws becomes a Failure. Returns an
/// ExitCode.
int runRank(const run::RunFolder& folder);

/// Intra-op threads of one of `ranksHere` ranks: `perRank` of the recipe, else OMP_NUM_THREADS as
/// the user, torchrun or the supervisor sets it, else a share of the cores.
int threadsOf(int64_t perRank, int64_t ranksHere);

} // namespace earwright::engine
