#include "app/cli/comparison_json.h"

#include "app/cli/comparison_notes.h"

#include <nlohmann/json.hpp>

namespace earwright::cli {

namespace {

using ComparisonJson = nlohmann::ordered_json;

/// null where there is none.
ComparisonJson orNull(const std::optional<double>& number)
{
    return number ? ComparisonJson(*number) : ComparisonJson();
}

/// null where it is unknown: a speed, a ratio, the number of a step.
template <class Number>
ComparisonJson ifPositive(Number value)
{
    return value > 0 ? ComparisonJson(value) : ComparisonJson();
}

ComparisonJson verdictJson(const score::Verdict& verdict, const std::string& name)
{
    ComparisonJson json { { "sentence", verdict.sentence(name) }, { "rate", verdict.rate },
        { "beyond_chance", verdict.isBeyondChance() }, { "difference", verdict.difference() },
        { "utterances", verdict.first.sentences }, { "only_in_first", verdict.onlyInFirst },
        { "only_in_second", verdict.onlyInSecond } };
    if (verdict.bootstrap) {
        json["p"] = verdict.bootstrap->p;
        json["low"] = verdict.bootstrap->interval.low;
        json["high"] = verdict.bootstrap->interval.high;
    }
    const score::MatchedPairs& pairs = verdict.matchedPairs;
    json["mapsswe"] = { { "p", orNull(pairs.p) }, { "z", orNull(pairs.z) },
        { "segments", pairs.segments }, { "mean_difference", pairs.meanDifference } };
    return json;
}

ComparisonJson validationsJson(const run::Snapshot& snapshot)
{
    ComparisonJson all = ComparisonJson::array();
    for (const run::Cost& cost : run::validationCosts(snapshot))
        all.push_back({ { "epoch", cost.epoch }, { "step", cost.step }, { "percent", cost.percent },
            { "seconds", cost.seconds }, { "joules", orNull(cost.joules) } });
    return all;
}

/// How a run's steps stand to the first one's.
void addSteps(ComparisonJson& json, const RunComparison& comparison, const ComparedRun& run)
{
    const ComparedRun& first = comparison.first();
    const run::CurveDifference losses
        = run::curveDifference(first.snapshot, run.snapshot, "train/loss");
    const run::CurveDifference gradients
        = run::curveDifference(first.snapshot, run.snapshot, "train/grad_norm");
    json["first_different_loss_step"] = ifPositive(losses.step);
    json["same_loss_steps"] = losses.sameSteps;
    json["first_different_grad_norm_step"] = ifPositive(gradients.step);
    const std::string batches = batchDifference(first, run);
    json["other_batches"] = batches.empty() ? ComparisonJson() : ComparisonJson(batches);
}

ComparisonJson runJson(const RunComparison& comparison, const ComparedRun& run)
{
    const run::SpeedRatio ratio = speedRatio(run, comparison.first());
    ComparisonJson json { { "name", run.name }, { "path", run.folder.path.string() },
        { "precision", run.snapshot.started.precision },
        { "devices", run.snapshot.started.devices }, { "host", run.host },
        { "it_per_s", ifPositive(run.speed) }, { "speed_ratio", ifPositive(ratio.value) } };
    if (const ComparedRun* tf32 = comparison.tf32())
        json["speed_ratio_to_tf32"] = ifPositive(speedRatio(run, *tf32).value);
    json["machine_load_percent"] = orNull(run::machineLoad(run.snapshot));
    if (&run != &comparison.first()) {
        json["steps_side_by_side"] = ratio.secondSteps;
        addSteps(json, comparison, run);
    }
    json["validations"] = validationsJson(run.snapshot);
    return json;
}

ComparisonJson scoresJson(const RunComparison& comparison, const ComparedScores& scores)
{
    const std::string& name = comparison.runs[scores.run].name;
    ComparisonJson json { { "split", scores.evaluation.split }, { "run", name },
        { "epoch", scores.evaluation.epoch }, { "rate", scores.evaluation.rate },
        { "wer", scores.evaluation.wer }, { "cer", scores.evaluation.cer },
        { "substitutions", scores.edits.substitutions }, { "deletions", scores.edits.deletions },
        { "insertions", scores.edits.insertions }, { "tokens", scores.edits.tokens },
        { "seconds", scores.cost ? ComparisonJson(scores.cost->seconds) : ComparisonJson() },
        { "joules", scores.cost ? orNull(scores.cost->joules) : ComparisonJson() } };
    if (scores.verdict)
        json["verdict"] = verdictJson(*scores.verdict, name);
    return json;
}

} // namespace

std::string comparisonJson(const RunComparison& comparison)
{
    ComparisonJson runs = ComparisonJson::array();
    for (const ComparedRun& run : comparison.runs)
        runs.push_back(runJson(comparison, run));
    ComparisonJson evaluations = ComparisonJson::array();
    for (const ComparedScores& scores : comparison.scores)
        evaluations.push_back(scoresJson(comparison, scores));
    const ComparisonJson all { { "runs", runs }, { "evaluations", evaluations },
        { "notes", comparisonNotes(comparison) }, { "problems", comparison.problems } };
    return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace earwright::cli
