#pragma once

#include "app/cli/run_comparison.h"

#include <string>
#include <vector>

namespace earwright::cli {

/// Runs that differ in one key of the recipe alone, such as the seed.
struct RunGroup {
    std::string name; ///< its first run's
    std::vector<size_t> runs; ///< places in RunComparison::runs
    std::vector<std::string> values; ///< of the key, one a run
    /// Where its recipe differs from the first group's, besides the key; "" of the first.
    std::string differences {};
};

/// Groups in the order of their first runs. What refers to the key may differ too, as a folder
/// named by the seed. `key`: a path of the recipe ("opt_class.lr") or a run option. The error names
/// a run that has no such key.
Result<std::vector<RunGroup>> groupRuns(
    const std::vector<ComparedRun>& runs, const std::string& key);

/// A header, then a row for each evaluation of each group: means over its runs, their standard
/// deviations (of n - 1; "" of one run), and how far the means are from the first group's.
std::vector<std::vector<std::string>> groupTable(
    const RunComparison& comparison, const std::vector<RunGroup>& groups, const std::string& key);

/// What to know of that table.
std::vector<std::string> groupNotes(const std::vector<RunGroup>& groups, const std::string& key);

/// The same as JSON.
std::string groupsJson(
    const RunComparison& comparison, const std::vector<RunGroup>& groups, const std::string& key);

} // namespace earwright::cli
