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
        .plan = *plan,
        .snapshot = snapshot,
        .host = run::hostOf(*folder),
        .wordSplit = score::wordSplitOf(plan->options.splitWords),
        .speed = run::trainingSpeed(snapshot) };
}

/// The names with the baseline's in front, once.
Result<std::vector<std::string>> baselineFirst(const std::vector<std::string>& names,
    const std::string& baseline, const std::filesystem::path& root)
{
    if (baseline.empty())
        return names;
    const Result<run::RunFolder> wanted = findRun(baseline, root);
    if (!wanted)
        return wanted.error();
    std::vector<std::string> all { baseline };
    for (const std::string& name : names) {
        const Result<run::RunFolder> folder = findRun(name, root);
        if (!folder)
            return folder.error();
        std::error_code ignored; // both are there
        if (!std::filesystem::equivalent(folder->path, wanted->path, ignored))
            all.push_back(name);
    }
    if (all.size() < 2)
        return Error { inQuotes(baseline) + " is the baseline: name a run to hold against it" };
    return all;
}

Result<run::EvaluatedTexts> textsOf(
    const ComparedRun& run, const std::string& split, std::optional<int64_t> epoch)
{
    Result<run::EvaluatedTexts> texts = run::readTexts(run.folder, run.snapshot, split, epoch);
    if (texts) {
        texts->name = run.name;
        texts->wordSplit = run.wordSplit;
    }
    return texts;
}

/// Of one split.
void addScores(RunComparison& comparison, const std::string& split, std::optional<int64_t> epoch)
{
    Result<run::EvaluatedTexts> first = Error {};
    for (size_t i = 0; i < comparison.runs.size(); ++i) {
        const ComparedRun& run = comparison.runs[i];
        Result<run::EvaluatedTexts> texts = textsOf(run, split, epoch);
        if (!texts) {
            comparison.problems.push_back(run.name + ": " + texts.error().message);
            if (i == 0)
                first = texts.error();
            continue;
        }
        ComparedScores scores { .run = i,
            .evaluation = texts->evaluation,
            .edits = texts->edits,
            .cost = run::costOf(run.snapshot, texts->evaluation) };
        if (i == 0) {
            first = std::move(*texts);
        } else if (!first) {
            scores.noVerdict = "the first run's texts could not be read: " + first.error().message;
        } else {
            const Result<score::Verdict> verdict = run::verdictOf(*first, *texts);
            if (verdict) {
                scores.verdict = *verdict;
                scores.verdictLine = run::verdictLine(*first, *texts, *verdict);
            } else {
                scores.noVerdict = verdict.error().message;
            }
        }
        if (!scores.noVerdict.empty())
            comparison.problems.push_back(
                split + ", " + run.name + ": no verdict: " + scores.noVerdict);
        comparison.scores.push_back(std::move(scores));
    }
}

} // namespace

const ComparedRun* RunComparison::tf32() const
{
    const auto found = std::find_if(runs.begin(), runs.end(),
        [](const ComparedRun& run) { return run.snapshot.started.precision == "tf32"; });
    return found == runs.end() || found == runs.begin() ? nullptr : &*found;
}

run::SpeedRatio speedRatio(const ComparedRun& run, const ComparedRun& to)
{
    return run::speedRatio(to.snapshot, run.snapshot, !to.host.empty() && to.host == run.host);
}

Result<std::vector<ComparedRun>> openRuns(const std::vector<std::string>& asked,
    const std::string& baseline, const std::filesystem::path& root)
{
    const Result<std::vector<std::string>> names = baselineFirst(asked, baseline, root);
    if (!names)
        return names.error();
    std::vector<ComparedRun> runs;
    for (const std::string& name : *names) {
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
            runs[i].name = (*names)[i];
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
