#pragma once

#include "app/cli/run_comparison.h"

#include <string>
#include <vector>

namespace earwright::cli {

/// A header, then a row for each evaluation of each run: error rates and edits, speed, time and
/// energy, each beside its difference from the first run's. Columns that no run has a figure for
/// are left out: the ratio to tf32, minutes, Wh.
std::vector<std::vector<std::string>> comparisonTable(const RunComparison& comparison);

/// The evaluation of the first run that a later one's is held against; null where there is none,
/// and of the first run itself.
const ComparedScores* baselineOf(const RunComparison& comparison, const ComparedScores& scores);

} // namespace earwright::cli
