#pragma once

#include "core/run/snapshot.h"

#include <vector>

namespace kymo::run {

/// The newest evaluation on each of a run's tests, in the recipe's order.
std::vector<Evaluated> testScores(const Snapshot& snapshot);

} // namespace kymo::run
