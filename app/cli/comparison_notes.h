#pragma once

#include "app/cli/run_comparison.h"

#include <string>
#include <vector>

namespace earwright::cli {

/// Sentences below a table of runs: the verdicts, then of each further run where its steps part
/// from the first one's, what to know of the speeds, and what it took to be as good.
std::vector<std::string> comparisonLines(const RunComparison& comparison);

/// The same without the verdicts.
std::vector<std::string> comparisonNotes(const RunComparison& comparison);

/// How two runs were not given the same batches in the same order, as far as they tell: "seed 1 and
/// 2"; "" = it is not known that they were not.
std::string batchDifference(const ComparedRun& first, const ComparedRun& run);

} // namespace earwright::cli
