#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/run/comparison.h"
#include "core/run/costs.h"
#include "core/run/run_verdict.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::cli {

/// One of the runs that are compared.
struct ComparedRun {
    std::string name; ///< of its folder, or as it was asked for where two are called so
    run::RunFolder folder;
    plan::Plan plan;
    run::Snapshot snapshot;
    std::string host; ///< "" = unknown
    score::WordSplit wordSplit = score::WordSplit::WhiteSpace;
    double speed = -1; ///< see trainingSpeed()
};

/// What a run made of one split, beside what the first run made of it.
struct ComparedScores {
    size_t run = 0; ///< its place in RunComparison::runs
    run::Evaluated evaluation;
    score::ErrorRate edits; ///< in the unit that counts, of all utterances
    std::optional<run::Cost> cost {}; ///< what the run had taken by then
    std::optional<score::Verdict> verdict {}; ///< none of the first run
    std::string verdictLine {}; ///< the same in a sentence; "" = there is none
    std::string noVerdict {}; ///< why there is none; "" of the first run
};

struct RunComparison {
    std::vector<ComparedRun> runs; ///< the first one is what the others are held against
    std::vector<ComparedScores> scores; ///< by split, and then in the order of the runs
    std::vector<std::string> problems {}; ///< what could not be read or compared

    const ComparedRun& first() const { return runs.front(); }
    /// The first run in tf32, to which speeds are set too; null where there is none, and where it
    /// is first() anyway.
    const ComparedRun* tf32() const;
};

/// A run's steps a second by those of another.
run::SpeedRatio speedRatio(const ComparedRun& run, const ComparedRun& to);

/// Opens the runs of these names below `root`. `baseline`: the run that comes first, which is one
/// of them or one more; "" = the first of the names. The error names the one that is not there or
/// cannot be read.
Result<std::vector<ComparedRun>> openRuns(const std::vector<std::string>& names,
    const std::string& baseline, const std::filesystem::path& root);

/// `split`: "" = each test of the first run, without tests its newest validation. With an epoch
/// that epoch's. A run that lacks one is told among the problems.
RunComparison compared(
    std::vector<ComparedRun> runs, const std::string& split, std::optional<int64_t> epoch);

} // namespace earwright::cli
