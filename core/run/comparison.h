#pragma once

#include "core/run/run_folder.h"
#include "core/run/snapshot.h"

#include <cstdint>
#include <string>

namespace earwright::run {

/// Steps a second of training alone, over all steps but the first five: validation and start-up are
/// not in it. -1 = unknown.
double trainingSpeed(const Snapshot& snapshot);

/// Where two runs part.
struct LossDifference {
    int64_t sameSteps = 0; ///< steps that both logged before, with one loss
    int64_t step = 0; ///< the first one with two losses; 0 = there is none
    double first = 0; ///< its losses
    double second = 0;
};

/// The training losses of the steps that both have, to the last bit. It tells something of runs
/// that took the same batches in the same order.
LossDifference lossDifference(const Snapshot& first, const Snapshot& second);

/// The host on which the run was made, by its versions.json; "" = unknown.
std::string hostOf(const RunFolder& folder);

} // namespace earwright::run
