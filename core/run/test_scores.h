#pragma once

#include "core/run/snapshot.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::run {

/// The newest evaluation on each of a run's tests, in the recipe's order.
std::vector<Evaluated> testScores(const Snapshot& snapshot);

/// The newest value that a curve has of a step: a resumed run may repeat its last test.
std::optional<double> valueAt(const Snapshot& snapshot, const std::string& tag, int64_t step);

/// The ends of an error rate's 95 % interval, percent.
struct RateInterval {
    double low = 0;
    double high = 0;
};
/// That of an evaluation's "WER" or "CER". Tests alone have one, and not where there were too few
/// utterances or errors.
std::optional<RateInterval> intervalOf(
    const Snapshot& snapshot, const Evaluated& evaluated, const std::string& rate);

} // namespace earwright::run
