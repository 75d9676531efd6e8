#include "app/cli/run_comparison.h"

#include "app/cli/supervised.h"
#include "core/base/text.h"
#include "core/run/follower.h"
#include "core/run/test_scores.h"

#include <algorithm>

namespace earwright::cli {

namespace {

/// Of its folder, which may be asked for with a '/' behind it, or as ".".
std::string folderName(const std::filesystem::path& folder)
{
    const std::filesystem::path path = std::filesystem::absolute(folder).lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).filename().string();
}

Result<ComparedRun> openRun(const std::string& name, const std::filesystem::path& root)
{
    const Result<run::RunFolder> folder = findRun(name, root);
    if (!folder)
        return folder.error();
    const Result<plan::Plan> plan = run::readPlan(*folder);
    if (!plan)
        return plan.error();
    run::Follower follower(*folder);
    const Result<bool> read = follower.poll();
    if (!read)
        return read.error();
    const run::Snapshot& snapshot = follower.snapshot();
    return ComparedRun { .name = folderName(folder->path),
        .folder = *folder,
        .snapshot = snapshot,
        .host = run::hostOf(*folder),
        .wordSplit = score::wordSplitOf(plan->options.splitWords),
        .speed = run::trainingSpeed(snapshot) };
}

/// The same evaluation of one run, with its texts.
struct EvaluatedTexts {
    run::Evaluated evaluation;
    score::ErrorRate edits {};
    std::vector<score::TextPair> texts {};
};

Result<EvaluatedTexts> textsOf(
    const ComparedRun& run, const std::string& split, std::optional<int64_t> epoch)
{
    const Result<run::Evaluated> evaluation = run::findEvaluation(run.snapshot, split, epoch);
    if (!evaluation)
        return evaluation.error();
    Result<std::vector<run::Utterance>> utterances = run::readUtterances(run.folder, *evaluation);
    if (!utterances)
        return utterances.error();
    EvaluatedTexts result { .evaluation = *evaluation };
    for (run::Utterance& one : *utterances) {
        result.edits.add(run::countedEdits(one, evaluation->rate));
        result.texts.push_back(
            { std::move(one.id), std::move(one.reference), std::move(one.hypothesis) });
    }
    return result;
}

Result<score::Verdict> verdictOf(const ComparedRun& firstRun, const EvaluatedTexts& first,
    const ComparedRun& run, const EvaluatedTexts& texts)
{
    if (texts.evaluation.rate != first.evaluation.rate)
        return Error { firstRun.name + " is judged by its " + first.evaluation.rate + " and "
            + run.name + " by its " + texts.evaluation.rate + ": they heard different texts" };
    if (run.wordSplit != firstRun.wordSplit)
        return Error { "the recipes say different split_words: their words are not the same" };
    return score::verdict(first.texts, texts.texts, first.evaluation.rate, firstRun.wordSplit);
}

/// Of one split.
void addScores(RunComparison& comparison, const std::string& split, std::optional<int64_t> epoch)
{
    Result<EvaluatedTexts> first = Error {};
    for (size_t i = 0; i < comparison.runs.size(); ++i) {
        const ComparedRun& run = comparison.runs[i];
        Result<EvaluatedTexts> texts = textsOf(run, split, epoch);
        if (!texts) {
            comparison.problems.push_back(run.name + ": " + texts.error().message);
            if (i == 0)
                first = texts.error();
            continue;
        }
        ComparedScores scores { .run = i, .evaluation = texts->evaluation, .edits = texts->edits };
        if (i == 0) {
            first = std::move(*texts);
        } else if (!first) {
            scores.noVerdict = "the first run's texts could not be read: " + first.error().message;
        } else {
            const Result<score::Verdict> verdict
                = verdictOf(comparison.first(), *first, run, *texts);
            if (verdict)
                scores.verdict = *verdict;
            else
                scores.noVerdict = verdict.error().message;
        }
        if (!scores.noVerdict.empty())
            comparison.problems.push_back(
                split + ", " + run.name + ": no verdict: " + scores.noVerdict);
        comparison.scores.push_back(std::move(scores));
    }
}

std::string lossNote(const ComparedRun& first, const ComparedRun& run)
{
    const run::LossDifference found = run::lossDifference(first.snapshot, run.snapshot);
    const std::string names = first.name + " and " + run.name;
    if (found.step == 0)
        return found.sameSteps == 0 ? names + " have logged no loss of one and the same step"
                                    : names + " have the same loss at all "
                + std::to_string(found.sameSteps) + " steps that both logged";
    return names + " have different losses from step " + std::to_string(found.step)
        + " on: " + formatNumber(found.first) + " and " + formatNumber(found.second)
        + (found.sameSteps == 0 ? "" : "; the same ones at the steps before");
}

std::string devicesOf(const ComparedRun& run)
{
    return join(run.snapshot.started.devices, ",");
}

/// What a ratio of speeds is worth.
std::string speedNote(const ComparedRun& first, const ComparedRun& run)
{
    std::string what;
    if (devicesOf(run) != devicesOf(first))
        what = "they ran on " + devicesOf(first) + " and " + devicesOf(run);
    if (run.host != first.host)
        what += (what.empty() ? "they ran on the hosts " : ", on the hosts ")
            + (first.host.empty() ? "(unknown)" : first.host) + " and "
            + (run.host.empty() ? "(unknown)" : run.host);
    const std::string name = "speed of " + run.name + ": ";
    return what.empty()
        ? name + "of recorded steps, not measured side by side: other work on the machine counts"
        : name + what + ": the ratio compares the machines too";
}

} // namespace

double RunComparison::speedRatio(const ComparedRun& run) const
{
    return first().speed > 0 && run.speed > 0 ? run.speed / first().speed : -1;
}

std::vector<std::string> RunComparison::notes() const
{
    std::vector<std::string> all;
    for (const ComparedRun& run : runs) {
        if (&run == &first())
            continue;
        all.push_back(lossNote(first(), run));
        if (speedRatio(run) > 0)
            all.push_back(speedNote(first(), run));
    }
    return all;
}

Result<std::vector<ComparedRun>> openRuns(
    const std::vector<std::string>& names, const std::filesystem::path& root)
{
    std::vector<ComparedRun> runs;
    for (const std::string& name : names) {
        Result<ComparedRun> run = openRun(name, root);
        if (!run)
            return run.error();
        runs.push_back(std::move(*run));
    }
    for (size_t i = 0; i < runs.size(); ++i) {
        const auto namesakes = std::count_if(runs.begin(), runs.end(), [&](const auto& other) {
            return folderName(other.folder.path) == folderName(runs[i].folder.path);
        });
        if (namesakes > 1)
            runs[i].name = names[i];
    }
    return runs;
}

RunComparison compared(
    std::vector<ComparedRun> runs, const std::string& split, std::optional<int64_t> epoch)
{
    RunComparison comparison { .runs = std::move(runs), .scores = {} };
    std::vector<std::string> splits;
    if (!split.empty())
        splits.push_back(split);
    else
        for (const run::Evaluated& test : run::testScores(comparison.first().snapshot))
            splits.push_back(test.split);
    if (splits.empty())
        splits.emplace_back("valid");
    for (const std::string& one : splits)
        addScores(comparison, one, epoch);
    return comparison;
}

} // namespace earwright::cli
