#pragma once

#include "core/run/snapshot.h"

#include <optional>
#include <vector>

namespace earwright::run {

/// Seconds that a run had worked by then: since it started, without pauses and without what lies
/// between the attempts of a resumed run. Work that a later attempt did anew does not count.
/// `wallTime`: seconds since the epoch.
double workedSeconds(const Snapshot& snapshot, double wallTime);

/// Joules that the run's GPUs took while it worked, by system/gpuN_watts. They are of whole boards:
/// what else ran there is in them. None where no power was logged, or not throughout.
std::optional<double> spentJoules(const Snapshot& snapshot, double wallTime);

/// What a run had taken by one of its evaluations.
struct Cost {
    int64_t epoch = 0; ///< of the evaluation
    int64_t step = 0;
    double percent = 0; ///< its error rate, in the unit that counts
    double seconds = 0; ///< see workedSeconds()
    std::optional<double> joules {}; ///< see spentJoules()
};

/// None where the evaluation's curve has no point of its step.
std::optional<Cost> costOf(const Snapshot& snapshot, const Evaluated& evaluated);
/// Of each validation that searched texts, in their order: the error rate against time and energy.
std::vector<Cost> validationCosts(const Snapshot& snapshot);
/// Of validationCosts() the first whose rate is at most so many percent; none where there is none.
std::optional<Cost> costUntil(const std::vector<Cost>& costs, double percent);

} // namespace earwright::run
