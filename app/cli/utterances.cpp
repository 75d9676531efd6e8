#include "core/run/utterances.h"

#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/manifest_utterances.h"
#include "app/cli/progress.h"
#include "app/cli/split_choice.h"
#include "app/cli/supervised.h"
#include "app/cli/utterance_tables.h"
#include "core/base/file.h"
#include "core/base/names.h"
#include "core/base/sheet_text.h"
#include "core/base/text.h"
#include "core/engine/rank_main.h"
#include "core/run/follower.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

namespace earwright::cli {

namespace {

using Rows = std::vector<run::Utterance>;
using OrderedJson = nlohmann::ordered_json;

const Names kSortKeys { "id", "speaker", "seconds", "wer", "cer", "edits" };

/// -1 where it was not counted.
double percentOf(const std::optional<score::ErrorRate>& edits)
{
    return edits ? edits->percent() : -1;
}

/// Texts from A to Z, numbers from the greatest down; equal ones as in the manifest.
void sortBy(const std::string& key, const std::string& rate, Rows& rows)
{
    const auto byText = [&](std::string run::Utterance::*text) {
        std::stable_sort(rows.begin(), rows.end(),
            [text](const auto& a, const auto& b) { return a.*text < b.*text; });
    };
    const auto byNumber = [&](const auto& numberOf) {
        std::stable_sort(rows.begin(), rows.end(),
            [&](const auto& a, const auto& b) { return numberOf(a) > numberOf(b); });
    };
    if (key == "id")
        byText(&run::Utterance::id);
    else if (key == "speaker")
        byText(&run::Utterance::speaker);
    else if (key == "seconds")
        byNumber([](const run::Utterance& row) { return row.seconds; });
    else if (key == "wer")
        byNumber([](const run::Utterance& row) { return percentOf(row.byWord); });
    else if (key == "cer")
        byNumber([](const run::Utterance& row) { return percentOf(row.byCharacter); });
    else if (key == "edits")
        byNumber([&](const run::Utterance& row) { return run::countedEdits(row, rate).edits(); });
}

std::string twoPlaces(double value)
{
    char text[40] = "";
    if (value >= 0)
        std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

/// A part's place, in the unit that the manifest had it in; "" = the whole sound.
std::string placeText(const run::UtterancePart& part)
{
    if (part == run::UtterancePart {})
        return "";
    std::string text = formatNumber(part.begin) + "..";
    if (part.end > 0)
        text += formatNumber(part.end);
    text += part.countsSamples ? " samples" : " s";
    if (part.seconds > 0)
        text += " for " + formatNumber(part.seconds) + " s";
    if (part.channel >= 0)
        text += " channel " + std::to_string(part.channel);
    return text;
}

const Names kUtteranceColumns { "id", "speaker", "seconds", "WER", "CER", "tokens", "substitutions",
    "deletions", "insertions", "reference", "hypothesis", "missed_hotwords", "sound", "part" };

std::string csvLine(const run::Utterance& row, const std::string& rate)
{
    const score::ErrorRate& edits = run::countedEdits(row, rate);
    const Names cells { row.id, row.speaker, row.seconds < 0 ? "" : formatNumber(row.seconds),
        twoPlaces(percentOf(row.byWord)), twoPlaces(percentOf(row.byCharacter)),
        std::to_string(edits.tokens), std::to_string(edits.substitutions),
        std::to_string(edits.deletions), std::to_string(edits.insertions), row.reference,
        row.hypothesis, join(row.missedHotwords, "; "), row.sound, placeText(row.part) };
    std::string line;
    for (const std::string& cell : cells)
        line += (line.empty() ? "" : ",") + sheetField(cell);
    return line + "\n";
}

OrderedJson numberOrNull(double value)
{
    return value < 0 ? OrderedJson() : OrderedJson(value);
}

OrderedJson rowJson(const run::Utterance& row, const std::string& rate)
{
    const score::ErrorRate& edits = run::countedEdits(row, rate);
    OrderedJson json { { "id", row.id }, { "speaker", row.speaker },
        { "seconds", numberOrNull(row.seconds) }, { "WER", numberOrNull(percentOf(row.byWord)) },
        { "CER", numberOrNull(percentOf(row.byCharacter)) }, { "tokens", edits.tokens },
        { "substitutions", edits.substitutions }, { "deletions", edits.deletions },
        { "insertions", edits.insertions }, { "reference", row.reference },
        { "hypothesis", row.hypothesis }, { "missed_hotwords", row.missedHotwords },
        { "sound", row.sound } };
    if (row.part != run::UtterancePart {})
        json["part"] = { { "begin", row.part.begin }, { "end", row.part.end },
            { "seconds", row.part.seconds }, { "unit", row.part.countsSamples ? "samples" : "s" },
            { "channel", row.part.channel } };
    return json;
}

/// A line a row, so that an hour's worth of them is never one text.
void printRows(const Rows& rows, const std::string& rate, bool asJson)
{
    if (!asJson)
        std::cout << join(kUtteranceColumns, ",") << "\n";
    const char* between = "[\n ";
    for (const run::Utterance& row : rows) {
        if (!asJson) {
            std::cout << csvLine(row, rate);
            continue;
        }
        std::cout << between
                  << rowJson(row, rate).dump(
                         -1, ' ', false, nlohmann::json::error_handler_t::replace);
        between = ",\n ";
    }
    if (asJson)
        std::cout << (rows.empty() ? "[]\n" : "\n]\n");
}

/// Of the options of a table of errors; "" = nothing is wrong.
std::string tableMisuse(const Arguments& given)
{
    if (given.has("--confusions") && given.has("--by"))
        return "--confusions or --by, not both";
    if (given.has("--sort"))
        return "--sort is of the utterances: leave it out with --confusions and --by";
    if (const auto by = given.option("--by"); by && !contains(groupNames(), *by))
        return "--by is one of " + join(groupNames(), ", ") + ", not " + inQuotes(*by);
    const std::string format = given.option("--format").value_or("text");
    return contains(utteranceTableFormats(), format)
        ? ""
        : "--format is text, csv or json, not " + inQuotes(format);
}

/// What is wrong with the words of the command; "" = nothing.
std::string utterancesMisuse(const Arguments& given)
{
    for (const char* option : { "--tokenizer", "--overlap", "--sounds", "--data-root" })
        if (given.has(option))
            return std::string(option) + " goes with --manifest";
    if (given.positional.empty())
        return "name a run, or a manifest with --manifest FILE";
    if (given.has("--confusions") || given.has("--by")) {
        if (const std::string wrong = tableMisuse(given); !wrong.empty())
            return wrong;
        const Result<SplitChoice> choice = splitChoice(given);
        return choice ? "" : choice.error().message;
    }
    const std::string format = given.option("--format").value_or("csv");
    if (format != "csv" && format != "json")
        return "--format is csv or json, not " + inQuotes(format);
    if (const auto key = given.option("--sort"); key && !contains(kSortKeys, *key))
        return "--sort is one of " + join(kSortKeys, ", ") + ", not " + inQuotes(*key);
    const Result<SplitChoice> choice = splitChoice(given);
    return choice ? "" : choice.error().message;
}

struct Found {
    std::string rate;
    Rows rows;
};

Result<Found> findRows(const run::RunFolder& folder, const SplitChoice& choice)
{
    run::Follower follower(folder);
    const Result<bool> read = follower.poll();
    std::cerr << damageLines(follower.snapshot().damage);
    if (!read)
        return read.error();
    const Result<run::Evaluated> evaluation
        = run::findEvaluation(follower.snapshot(), choice.split, choice.epoch);
    if (!evaluation)
        return evaluation.error();
    Result<Rows> rows = run::readUtterances(folder, *evaluation);
    if (!rows)
        return rows.error();
    return Found { evaluation->rate, std::move(*rows) };
}

/// Prints the table of errors that was asked for; false where none was.
bool printErrors(const Arguments& given, const Found& found, score::WordSplit split)
{
    const std::string format = given.option("--format").value_or("text");
    if (given.has("--confusions"))
        std::cout << confusionsTable(found.rows, found.rate, split, format);
    else if (const auto by = given.option("--by"))
        std::cout << groupsTable(found.rows, found.rate, *by, format);
    else
        return false;
    return true;
}

/// How the run cut texts into words.
score::WordSplit wordSplitOfRun(const run::RunFolder& folder)
{
    const Result<std::string> json = readFile(folder.path / "plan.json");
    const Result<plan::Plan> settings
        = json ? plan::settingsFromJson(*json) : Result<plan::Plan>(json.error());
    return settings ? score::wordSplitOf(settings->options.splitWords)
                    : score::WordSplit::WhiteSpace;
}

} // namespace

int runUtterances(const std::vector<std::string>& words)
{
    const Result<Arguments> given = parseNames(words,
        { "--runs-dir", "--split", "--epoch", "--format", "--sort", "--by", "--manifest",
            "--tokenizer", "--overlap", "--data-root" },
        { "--confusions", "--sounds" }, 1);
    if (given && given->has("--manifest"))
        return printManifest(*given);
    if (const std::string wrong = given ? utterancesMisuse(*given) : given.error().message;
        !wrong.empty())
        return usageError("utterances", wrong);
    const Result<run::RunFolder> folder = namedRun(*given);
    const Result<SplitChoice> choice = splitChoice(*given);
    Result<Found> found = folder ? findRows(*folder, *choice) : folder.error();
    if (!found) {
        std::cerr << "earwright: " << found.error().message << "\n";
        return engine::kRecipeErrors;
    }
    if (printErrors(*given, *found, wordSplitOfRun(*folder)))
        return engine::kDone;
    sortBy(given->option("--sort").value_or(""), found->rate, found->rows);
    printRows(found->rows, found->rate, given->option("--format") == "json");
    return engine::kDone;
}

} // namespace earwright::cli
