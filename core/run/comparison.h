#pragma once

#include "core/run/run_folder.h"
#include "core/run/snapshot.h"

#include <cstdint>
#include <optional>
#include <string>

namespace earwright::run {

/// Steps a second of training alone, over all steps but the first five: validation and start-up are
/// not in it. -1 = unknown.
double trainingSpeed(const Snapshot& snapshot);

/// How the speeds of two runs compare.
struct SpeedRatio {
    double value = -1; ///< the second's steps a second by the first's; -1 = unknown
    /// That were taken in the same minutes on one host, by the first and by the second. 0 where
    /// they were not: then the ratio is of all steps, and the machine's load may have differed.
    int64_t firstSteps = 0;
    int64_t secondSteps = 0;

    bool isSideBySide() const { return firstSteps > 0; }
};

/// Of steps taken side by side, where both runs have at least 20; else of trainingSpeed().
/// `isOneHost`: both ran on it.
SpeedRatio speedRatio(const Snapshot& first, const Snapshot& second, bool isOneHost);

/// How busy the machine's CPUs were on average while the run trained: percent of all cores, this
/// run and everything else. None where it was not logged.
std::optional<double> machineLoad(const Snapshot& snapshot);

/// Where two runs part.
struct CurveDifference {
    int64_t sameSteps = 0; ///< steps that both logged before, with one value
    int64_t step = 0; ///< the first one with two values; 0 = there is none
    double first = 0; ///< its values
    double second = 0;
};

/// A curve ("train/loss", "train/grad_norm") at the steps that both have, to the last bit. It tells
/// something of runs that took the same batches in the same order.
CurveDifference curveDifference(
    const Snapshot& first, const Snapshot& second, const std::string& tag);

/// The host on which the run was made, by its versions.json; "" = unknown.
std::string hostOf(const RunFolder& folder);

} // namespace earwright::run
