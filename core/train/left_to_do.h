#pragma once

#include "core/plan/plan.h"
#include "core/run/run_folder.h"
#include "core/train/weights/checkpoint.h"

#include <set>
#include <string>
#include <vector>

namespace earwright::train {

/// Whether a run that stands there has an epoch to begin, or to go on with. One whose last step is
/// done may have its end still to come.
bool hasEpochsLeft(const Progress& progress, const plan::RunOptions& options);

/// Whether a run that is resumed from there goes on in the epoch that the steps' limit had cut.
bool goesOnInCutEpoch(const Progress& progress, const plan::RunOptions& options);

/// The tests that the run's log has of the weights after `step`, which were those of `checkpoints`,
/// searched as the plan now says. An attempt that was cut off in a later test need not repeat them.
std::set<std::string> testedBefore(const run::RunFolder& folder, const plan::Plan& plan,
    int64_t step, const std::vector<std::string>& checkpoints);

/// Whether the manifest of a test is not what the run read last. Relative paths of the recipe count
/// from the process's folder. False where one of them cannot be read any more.
bool testsHaveChanged(const run::RunFolder& folder, const plan::Plan& plan);

} // namespace earwright::train
