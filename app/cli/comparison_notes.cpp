#include "app/cli/comparison_notes.h"

#include "app/cli/table_formats.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/fingerprint.h"

#include <algorithm>
#include <cmath>

namespace earwright::cli {

namespace {

constexpr double kAlikeLoads = 10; ///< points of percent

/// The training set of a run; none where it did not keep what it was.
std::optional<data::Fingerprint> trainingSet(const ComparedRun& run)
{
    const Result<std::string> text = readFile(run.folder.data());
    if (!text)
        return std::nullopt;
    const Result<std::vector<data::Fingerprint>> sets = data::fingerprintsFromJson(*text);
    if (!sets)
        return std::nullopt;
    const auto found = std::find_if(sets->begin(), sets->end(),
        [](const data::Fingerprint& set) { return set.name == "train"; });
    return found == sets->end() ? std::nullopt : std::optional(*found);
}

size_t rankCount(const ComparedRun& run)
{
    return run.snapshot.started.devices.size();
}

/// "; their gradients differ in norm from step 7 on", where that is earlier than the losses.
std::string gradientNote(const ComparedRun& first, const ComparedRun& run, int64_t lossStep)
{
    const int64_t step = run::curveDifference(first.snapshot, run.snapshot, "train/grad_norm").step;
    const bool isEarlier = step > 0 && (lossStep == 0 || step < lossStep);
    return isEarlier ? "; their gradients differ in norm from step " + std::to_string(step) + " on"
                     : "";
}

std::string lossNote(const ComparedRun& first, const ComparedRun& run)
{
    const run::CurveDifference found
        = run::curveDifference(first.snapshot, run.snapshot, "train/loss");
    const std::string names = first.name + " and " + run.name;
    const std::string gradients = gradientNote(first, run, found.step);
    if (found.step == 0)
        return found.sameSteps == 0 ? names + " have logged no loss of one and the same step"
                                    : names + " have the same loss at all "
                + std::to_string(found.sameSteps) + " steps that both logged" + gradients;
    const std::string batches = batchDifference(first, run);
    return names + " have different losses from step " + std::to_string(found.step)
        + " on: " + formatNumber(found.first) + " and " + formatNumber(found.second)
        + (found.sameSteps == 0 ? "" : "; the same ones at the steps before") + gradients
        + (batches.empty() ? "" : "; they took other batches: " + batches);
}

std::string devicesOf(const ComparedRun& run)
{
    return join(run.snapshot.started.devices, ",");
}

std::string percentText(double value)
{
    return formatted("%.0f", value) + " %";
}

/// What the load of the machine does to a ratio of speeds that were not measured side by side.
std::string loadNote(const ComparedRun& first, const ComparedRun& run)
{
    const auto one = run::machineLoad(first.snapshot);
    const auto other = run::machineLoad(run.snapshot);
    if (!one || !other)
        return "other work on the machine counts";
    const std::string loads
        = "the machine's CPUs were busy by " + percentText(*one) + " and " + percentText(*other);
    return std::abs(*one - *other) > kAlikeLoads ? "the load differed: " + loads : loads;
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
    if (!what.empty())
        return name + what + ": the ratio compares the machines too";
    const run::SpeedRatio ratio = speedRatio(run, first);
    return name
        + (ratio.isSideBySide()
                ? "the ratio is of " + std::to_string(ratio.secondSteps) + " steps and "
                    + std::to_string(ratio.firstSteps) + " of " + first.name
                    + " that were taken side by side"
                : "of recorded steps, not measured side by side: " + loadNote(first, run));
}

/// "12.30 min and 4.1 Wh".
std::string costText(const run::Cost& cost)
{
    return formatted("%.2f", cost.seconds / 60) + " min"
        + (cost.joules ? " and " + formatted("%.1f", *cost.joules / 3600) + " Wh" : "");
}

/// What it took to be as good as the first run ever was in validation; "" where that is not known.
/// `costs`: of the first run's validations.
std::string costNote(
    const ComparedRun& first, const std::vector<run::Cost>& costs, const ComparedRun& run)
{
    const auto best = std::ranges::min_element(costs, {}, &run::Cost::percent);
    const std::vector<run::Cost> others = run::validationCosts(run.snapshot);
    if (best == costs.end() || others.empty()
        || first.snapshot.evaluations.back().rate != run.snapshot.evaluations.back().rate)
        return "";
    const std::string goal = first.name + "'s best validation, " + formatted("%.2f", best->percent)
        + " % " + first.snapshot.evaluations.back().rate;
    const auto reached = run::costUntil(others, best->percent);
    return reached ? run.name + " was as good as " + goal + ", after " + costText(*reached) + "; "
            + first.name + " after " + costText(*best)
                   : run.name + " was never as good as " + goal;
}

} // namespace

std::string batchDifference(const ComparedRun& first, const ComparedRun& run)
{
    if (first.plan.options.seed != run.plan.options.seed)
        return "seed " + std::to_string(first.plan.options.seed) + " and "
            + std::to_string(run.plan.options.seed);
    if (rankCount(first) != rankCount(run))
        return std::to_string(rankCount(first)) + " and " + std::to_string(rankCount(run))
            + " ranks";
    const auto one = trainingSet(first);
    const auto other = trainingSet(run);
    return one && other && !data::difference(*one, *other).empty() ? "their training sets differ"
                                                                   : "";
}

std::vector<std::string> comparisonNotes(const RunComparison& comparison)
{
    const ComparedRun& first = comparison.first();
    const std::vector<run::Cost> costs = run::validationCosts(first.snapshot);
    std::vector<std::string> notes;
    for (const ComparedRun& run : comparison.runs) {
        if (&run == &first)
            continue;
        notes.push_back(lossNote(first, run));
        if (speedRatio(run, first).value > 0)
            notes.push_back(speedNote(first, run));
        if (std::string note = costNote(first, costs, run); !note.empty())
            notes.push_back(std::move(note));
    }
    return notes;
}

std::vector<std::string> comparisonLines(const RunComparison& comparison)
{
    std::vector<std::string> lines;
    for (const ComparedScores& scores : comparison.scores) {
        if (scores.verdict)
            lines.push_back(scores.verdictLine);
    }
    for (std::string& note : comparisonNotes(comparison))
        lines.push_back(std::move(note));
    return lines;
}

} // namespace earwright::cli
