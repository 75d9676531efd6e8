#include "core/train/left_to_do.h"

#include "core/base/file.h"
#include "core/data/fingerprint.h"
#include "core/plan/test_search.h"
#include "core/run/follower.h"
#include "core/train/dataset.h"

#include <algorithm>

namespace earwright::train {

namespace {

bool isAtLimit(const Progress& progress, const plan::RunOptions& options)
{
    return options.optimizerStepLimit > 0 && progress.step >= options.optimizerStepLimit;
}

/// When the last figure of a test was logged, in seconds since 1970; 0 = none was at this step.
double timeOf(const run::Snapshot& snapshot, const std::string& test, int64_t step)
{
    const auto found = snapshot.series.find(test + "/loss");
    if (found == snapshot.series.end() || found->second.points().empty())
        return 0;
    const run::Point& last = found->second.points().back();
    return last.step == step ? last.wallTime : 0;
}

} // namespace

bool hasEpochsLeft(const Progress& progress, const plan::RunOptions& options)
{
    const bool isBetween = progress.batchesDone == 0;
    return progress.epoch <= options.numberOfEpochs && !(isAtLimit(progress, options) && isBetween);
}

bool goesOnInCutEpoch(const Progress& progress, const plan::RunOptions& options)
{
    return progress.cut.batchesDone > 0 && !isAtLimit(progress, options);
}

std::set<std::string> testedBefore(const run::RunFolder& folder, const plan::Plan& plan,
    int64_t step, const std::vector<std::string>& checkpoints)
{
    run::Follower follower(folder);
    std::set<std::string> tested;
    if (!follower.poll())
        return tested;
    const run::Snapshot& snapshot = follower.snapshot();
    // The search's time is told to the second; data.json is written anew where a set has changed.
    const double since = std::max(plan::testSearchTime(plan) + 1, timeWritten(folder.data()));
    for (const run::Evaluated& evaluated : snapshot.evaluations)
        if (evaluated.step == step && evaluated.checkpoints == checkpoints
            && timeOf(snapshot, evaluated.split, step) >= since)
            tested.insert(evaluated.split);
    return tested;
}

bool testsHaveChanged(const run::RunFolder& folder, const plan::Plan& plan)
{
    const Result<std::string> text = readFile(folder.data());
    const auto before = text ? data::fingerprintsFromJson(*text)
                             : Result<std::vector<data::Fingerprint>>(text.error());
    const Result<std::vector<Split>> tests = readSplits(plan, "test");
    if (!before || !tests)
        return false;
    for (const Split& test : *tests) {
        const auto now = data::fingerprintOf(test.name, test.manifest, *test.utterances);
        for (const data::Fingerprint& other : *before)
            if (other.name == now.name && other.file == now.file
                && !data::difference(other, now).empty())
                return true;
    }
    return false;
}

} // namespace earwright::train
