#include "app/cli/manifest_table.h"

#include "core/base/names.h"
#include "core/base/sheet_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace earwright::cli {

namespace {

using SurveyJson = nlohmann::ordered_json;

const Names kManifestColumns { "id", "speaker", "seconds", "text", "strange_words", "same_texts",
    "same_sounds", "in_other", "silence", "clipped", "problem", "sound" };

/// "" = not known.
std::string shareText(double share)
{
    char text[40] = "";
    if (share >= 0)
        std::snprintf(text, sizeof text, "%.4f", share);
    return text;
}

SurveyJson shareJson(double share)
{
    return share < 0 ? SurveyJson() : SurveyJson(share);
}

std::string surveyLine(const data::SurveyedUtterance& row)
{
    const data::Utterance& utterance = row.utterance;
    const Names cells { utterance.id, utterance.speaker, formatNumber(utterance.durationSeconds),
        utterance.text, join(row.strangeWords, " "), std::to_string(row.sameTexts),
        std::to_string(row.sameSounds), row.isInOther ? "yes" : "", shareText(row.silence),
        shareText(row.clipped), row.problem, utterance.wav };
    Names fields;
    for (const std::string& cell : cells)
        fields.push_back(sheetField(cell));
    return join(fields, ",") + "\n";
}

SurveyJson surveyJson(const data::SurveyedUtterance& row)
{
    const data::Utterance& utterance = row.utterance;
    return { { "id", utterance.id }, { "speaker", utterance.speaker },
        { "seconds", utterance.durationSeconds }, { "text", utterance.text },
        { "strange_words", row.strangeWords }, { "same_texts", row.sameTexts },
        { "same_sounds", row.sameSounds }, { "in_other", row.isInOther },
        { "silence", shareJson(row.silence) }, { "clipped", shareJson(row.clipped) },
        { "problem", row.problem }, { "sound", utterance.wav } };
}

std::string countLine(const data::ManifestSurvey& survey, const char* what, auto claim)
{
    const auto count = std::ranges::count_if(survey.rows, claim);
    return count == 0 ? ""
                      : std::to_string(count) + (count == 1 ? " row " : " rows ") + what + "\n";
}

} // namespace

std::string manifestTable(const data::ManifestSurvey& survey, const std::string& format)
{
    if (format == "json") {
        SurveyJson json { { "utterances", SurveyJson::array() },
            { "alphabet", SurveyJson::array() } };
        for (const data::SurveyedUtterance& row : survey.rows)
            json["utterances"].push_back(surveyJson(row));
        for (const auto& [letter, count] : survey.alphabet)
            json["alphabet"].push_back({ { "letter", letter }, { "count", count } });
        return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
    std::string text = join(kManifestColumns, ",") + "\n";
    for (const data::SurveyedUtterance& row : survey.rows)
        text += surveyLine(row);
    return text;
}

std::string manifestSummary(const data::ManifestSurvey& survey, const data::SurveyOptions& options)
{
    char hours[40];
    std::snprintf(hours, sizeof hours, "%.2f h", survey.seconds / 3600);
    std::string text = std::to_string(survey.rows.size()) + " rows, " + hours + ", "
        + std::to_string(survey.speakers) + " speakers\n";
    Names letters;
    for (const auto& [letter, count] : survey.alphabet)
        letters.push_back(letter);
    text += std::to_string(letters.size()) + " letters: " + join(letters, " ") + "\n";
    using Row = data::SurveyedUtterance;
    text += countLine(survey, "have words that the tokenizer cannot write",
        [](const Row& row) { return !row.strangeWords.empty(); });
    text += countLine(
        survey, "have the text of another row", [](const Row& row) { return row.sameTexts > 1; });
    text += countLine(survey, "have the file and place of another row",
        [](const Row& row) { return row.sameSounds > 1; });
    if (!options.other.empty())
        text += "rows that " + inQuotes(options.other.string())
            + " has too: " + std::to_string(survey.inOther) + "\n";
    text += countLine(
        survey, "have samples at full scale", [](const Row& row) { return row.clipped > 0; });
    text += countLine(survey, "have no sound that can be read",
        [](const Row& row) { return !row.problem.empty(); });
    return withoutControls(text);
}

} // namespace earwright::cli
