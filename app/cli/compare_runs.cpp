#include "app/cli/compare_runs.h"

#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/progress.h"
#include "app/cli/run_comparison.h"
#include "app/cli/split_choice.h"
#include "app/cli/table_formats.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/engine/rank_main.h"

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace earwright::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;

std::string formatted(const char* pattern, double value)
{
    char text[40];
    std::snprintf(text, sizeof text, pattern, value);
    return text;
}

/// "+0.44", "-3".
template <class Number>
std::string signedText(Number difference)
{
    if constexpr (std::is_floating_point_v<Number>)
        return formatted("%+.2f", difference);
    else
        return (difference > 0 ? "+" : "") + std::to_string(difference);
}

/// A number, and behind it how far it is from the first run's.
template <class Number>
void addWithDifference(
    std::vector<std::string>& row, Number value, const std::optional<Number>& first)
{
    if constexpr (std::is_floating_point_v<Number>)
        row.push_back(formatted("%.2f", value));
    else
        row.push_back(std::to_string(value));
    row.push_back(first ? signedText(value - *first) : "");
}

const std::vector<std::string> kComparedColumns { "evaluation", "run", "epoch", "WER %",
    "difference", "CER %", "difference", "sub", "difference", "del", "difference", "ins",
    "difference", "it/s", "ratio", "p", "MAPSSWE p" };

/// That of the first run in the same evaluation; null where it has none, and of itself.
const ComparedScores* firstOf(const RunComparison& comparison, const ComparedScores& scores)
{
    for (const ComparedScores& other : comparison.scores) {
        if (other.run == 0 && &other != &scores
            && other.evaluation.split == scores.evaluation.split)
            return &other;
    }
    return nullptr;
}

std::vector<std::string> rowOf(const RunComparison& comparison, const ComparedScores& scores)
{
    const ComparedRun& run = comparison.runs[scores.run];
    const ComparedScores* first = firstOf(comparison, scores);
    const bool countTheSame = first && first->evaluation.rate == scores.evaluation.rate;
    std::vector<std::string> row { scores.evaluation.split, run.name,
        std::to_string(scores.evaluation.epoch) };
    const auto add = [&](bool isComparable, const auto& valueOf) {
        using Number = decltype(valueOf(scores));
        addWithDifference<Number>(row, valueOf(scores),
            isComparable ? std::optional<Number>(valueOf(*first)) : std::nullopt);
    };
    // Of texts without words a WER says nothing.
    if (scores.evaluation.rate == "CER")
        row.insert(row.end(), { "-", "" });
    else
        add(countTheSame, [](const ComparedScores& of) { return of.evaluation.wer; });
    add(first != nullptr, [](const ComparedScores& of) { return of.evaluation.cer; });
    add(countTheSame, [](const ComparedScores& of) { return of.edits.substitutions; });
    add(countTheSame, [](const ComparedScores& of) { return of.edits.deletions; });
    add(countTheSame, [](const ComparedScores& of) { return of.edits.insertions; });
    row.push_back(run.speed > 0 ? formatted("%.2f", run.speed) : "-");
    const double ratio = comparison.speedRatio(run);
    row.push_back(ratio > 0 ? formatted("%.2f", ratio) : "-");
    const auto& verdict = scores.verdict;
    row.push_back(verdict && verdict->bootstrap ? formatted("%.4f", verdict->bootstrap->p) : "");
    row.push_back(
        verdict && verdict->matchedPairs.p ? formatted("%.4f", *verdict->matchedPairs.p) : "");
    return row;
}

/// "; MAPSSWE p = 0.003 over 120 segments"; "" of a single segment, and where both erred alike.
std::string matchedPairsText(const score::MatchedPairs& pairs)
{
    const std::string segments = std::to_string(pairs.segments) + " segments";
    if (pairs.p)
        return "; MAPSSWE " + score::pText(*pairs.p) + " over " + segments;
    return pairs.segments > 1 && pairs.meanDifference != 0
        ? "; MAPSSWE cannot tell: all " + segments + " differ alike"
        : "";
}

/// "test: bf16 is worse by …; MAPSSWE p = 0.003 over 120 segments; 3 utterances are in one run only
/// and do not count".
std::string verdictLine(const RunComparison& comparison, const ComparedScores& scores)
{
    const std::string& name = comparison.runs[scores.run].name;
    const score::Verdict& verdict = *scores.verdict;
    const std::string sentence = verdict.sentence(name);
    std::string line = scores.evaluation.split
        + (sentence.starts_with(name) ? ": " : ", " + name + ": ") + sentence
        + matchedPairsText(verdict.matchedPairs);
    if (verdict.onlyInFirst + verdict.onlyInSecond > 0)
        line += "; left out, as only one run has them: " + std::to_string(verdict.onlyInFirst)
            + " utterances of " + comparison.first().name + ", "
            + std::to_string(verdict.onlyInSecond) + " of " + name;
    return line;
}

/// null where there is none.
OrderedJson orNull(const std::optional<double>& number)
{
    return number ? OrderedJson(*number) : OrderedJson();
}

OrderedJson verdictJson(const score::Verdict& verdict, const std::string& name)
{
    OrderedJson json { { "sentence", verdict.sentence(name) }, { "rate", verdict.rate },
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

/// null where it is unknown.
OrderedJson speedJson(double value)
{
    return value > 0 ? OrderedJson(value) : OrderedJson();
}

OrderedJson comparisonJson(const RunComparison& comparison)
{
    OrderedJson runs = OrderedJson::array();
    for (const ComparedRun& run : comparison.runs) {
        OrderedJson json { { "name", run.name }, { "path", run.folder.path.string() },
            { "precision", run.snapshot.started.precision },
            { "devices", run.snapshot.started.devices }, { "host", run.host },
            { "it_per_s", speedJson(run.speed) },
            { "speed_ratio", speedJson(comparison.speedRatio(run)) } };
        const run::LossDifference found
            = run::lossDifference(comparison.first().snapshot, run.snapshot);
        if (&run != &comparison.first()) {
            json["first_different_loss_step"]
                = found.step > 0 ? OrderedJson(found.step) : OrderedJson();
            json["same_loss_steps"] = found.sameSteps;
        }
        runs.push_back(std::move(json));
    }
    OrderedJson evaluations = OrderedJson::array();
    for (const ComparedScores& scores : comparison.scores) {
        const std::string& name = comparison.runs[scores.run].name;
        OrderedJson json { { "split", scores.evaluation.split }, { "run", name },
            { "epoch", scores.evaluation.epoch }, { "rate", scores.evaluation.rate },
            { "wer", scores.evaluation.wer }, { "cer", scores.evaluation.cer },
            { "substitutions", scores.edits.substitutions },
            { "deletions", scores.edits.deletions }, { "insertions", scores.edits.insertions },
            { "tokens", scores.edits.tokens } };
        if (scores.verdict)
            json["verdict"] = verdictJson(*scores.verdict, name);
        evaluations.push_back(std::move(json));
    }
    return { { "runs", runs }, { "evaluations", evaluations }, { "notes", comparison.notes() },
        { "problems", comparison.problems } };
}

void printComparison(const RunComparison& comparison, const std::string& format)
{
    if (format == "json") {
        std::cout << comparisonJson(comparison)
                         .dump(1, ' ', false, nlohmann::json::error_handler_t::replace)
                  << "\n";
        return;
    }
    std::vector<std::vector<std::string>> rows { kComparedColumns };
    std::vector<std::string> notes;
    for (const ComparedScores& scores : comparison.scores) {
        rows.push_back(rowOf(comparison, scores));
        if (scores.verdict)
            notes.push_back(verdictLine(comparison, scores));
    }
    for (std::string& note : comparison.notes())
        notes.push_back(std::move(note));
    std::cout << tableAs(format, rows) << notesAs(format, notes);
}

/// What is wrong with the words of the command; "" = nothing.
std::string compareRunsMisuse(const Result<Arguments>& given)
{
    if (!given)
        return given.error().message;
    if (given->positional.size() < 2)
        return "name two runs or more: --runs A B";
    const std::string format = given->option("--format").value_or("text");
    if (format != "json" && !contains(tableFormats(), format))
        return "--format is text, markdown, csv, latex or json, not " + inQuotes(format);
    const Result<SplitChoice> choice = splitChoice(*given);
    return choice ? "" : choice.error().message;
}

} // namespace

int compareRuns(const std::vector<std::string>& words)
{
    const Result<Arguments> given
        = parseNames(words, { "--runs-dir", "--split", "--epoch", "--format" }, { "--runs" });
    if (const std::string wrong = compareRunsMisuse(given); !wrong.empty())
        return usageError("compare", wrong);
    Result<std::vector<ComparedRun>> runs = openRuns(
        given->positional, given->option("--runs-dir").value_or(run::defaultRunsRoot().string()));
    if (!runs) {
        std::cerr << "earwright: " << runs.error().message << "\n";
        return engine::kRecipeErrors;
    }
    const Result<SplitChoice> choice = splitChoice(*given);
    const RunComparison comparison = compared(std::move(*runs), choice->split, choice->epoch);
    printComparison(comparison, given->option("--format").value_or("text"));
    for (const ComparedRun& run : comparison.runs)
        std::cerr << damageLines(run.snapshot.damage);
    for (const std::string& problem : comparison.problems)
        std::cerr << "earwright: " << problem << "\n";
    return comparison.problems.empty() ? engine::kDone : engine::kRecipeErrors;
}

} // namespace earwright::cli
