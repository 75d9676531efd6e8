#include "app/cli/lm_texts.h"

#include "core/base/code_point.h"
#include "core/base/text.h"
#include "core/data/manifest.h"
#include "core/data/manifest_lines.h"
#include "core/data/prepare/gzip.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace earwright::cli {

namespace {

using Lines = std::vector<std::string>;
using nlohmann::json;

Result<LmTexts> ofManifest(const std::filesystem::path& source)
{
    const auto utterances = data::readManifest(source, "."); // where the audio lies does not matter
    if (!utterances)
        return utterances.error();
    LmTexts texts;
    for (const data::Utterance& utterance : *utterances)
        texts.lines.push_back(utterance.text);
    return texts;
}

bool isListOfObjects(const Lines& lines)
{
    const auto first = std::find_if(
        lines.begin(), lines.end(), [](const std::string& line) { return !trim(line).empty(); });
    return first != lines.end() && trim(*first).starts_with("{\"");
}

Result<LmTexts> ofObjects(const Lines& lines, const std::string& name)
{
    LmTexts texts { {}, "the texts of a list of utterances are read" };
    for (size_t i = 0; i < lines.size(); ++i) {
        if (trim(lines[i]).empty())
            continue;
        const json entry = json::parse(lines[i], nullptr, false);
        const char* key = entry.is_object() && entry.contains("txt") ? "txt" : "target";
        if (!entry.is_object() || !entry.contains(key) || !entry[key].is_string())
            return Error { "'" + name + "', line " + std::to_string(i + 1)
                + R"(: no JSON object with a text under "txt" or "target")" };
        texts.lines.push_back(entry[key]);
    }
    return texts;
}

Result<std::string> readMaybePacked(const std::filesystem::path& source)
{
    if (toLower(source.extension().string()) != ".gz")
        return data::readText(source);
    Result<std::string> text = data::readMaybeGzip(source);
    const Status checked = text ? data::checkText(*text, source) : Done {};
    return checked ? std::move(text) : checked.error();
}

std::string firstWord(const std::string& line)
{
    const std::string_view text = trim(line);
    return std::string(text.substr(0, text.find_first_of(" \t")));
}

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

bool hasOneOf(const std::string& word, std::string_view characters)
{
    return word.find_first_of(characters) != std::string::npos;
}

/// Of ASCII, as no word of Mandarin is; "-5" is none.
bool mayBeId(const std::string& word)
{
    const std::string first = std::string(kDigits).append(kLetters);
    return first.find(word.front()) != std::string::npos
        && word.find_first_not_of(first + "-_.:/@+#") == std::string::npos;
}

/// 4, 2.5 and 12:30 begin sentences too.
bool isNumber(const std::string& word)
{
    return hasOneOf(word, kDigits) && !hasOneOf(word, kLetters) && !hasOneOf(word, "-_");
}

/// 0001
bool isCounter(const std::string& word)
{
    constexpr size_t kLeastDigits = 4;
    return word.size() >= kLeastDigits && word.find_first_not_of(kDigits) == std::string::npos;
}

/// BAC009S0002W0122, 1089-134686-0000, spk1_utt3, spk_utt; no "well-known".
bool looksLikeId(const std::string& word)
{
    return !isNumber(word) && (hasOneOf(word, kDigits) || hasOneOf(word, "_"));
}

/// The first words of lines as they may be IDs.
struct FirstWords {
    std::vector<std::string> ids;
    size_t withText = 0; ///< have something behind
};

FirstWords firstWords(const Lines& lines)
{
    FirstWords first;
    for (const std::string& line : lines) {
        const std::string id = firstWord(line);
        if (id.empty())
            continue;
        first.ids.push_back(id);
        first.withText += trim(line).size() > id.size() ? 1 : 0;
    }
    return first;
}

/// Those of digits alone count up in a fixed width.
bool lookLikeIds(const std::vector<std::string>& words)
{
    const bool areAlike = std::all_of(words.begin(), words.end(),
        [&](const std::string& word) { return word.size() == words.front().size(); });
    return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
        return looksLikeId(word) || (areAlike && isCounter(word));
    });
}

/// As Kaldi wants its tables, which may have any words for IDs.
bool areInOrder(const std::vector<std::string>& words)
{
    return words.size() > 1 && std::is_sorted(words.begin(), words.end())
        && std::none_of(words.begin(), words.end(), isNumber);
}

/// IDs are different; texts repeat their beginnings, and begin with words.
bool isTable(const Lines& lines, bool isNamedText)
{
    const FirstWords first = firstWords(lines);
    const std::set<std::string> different(first.ids.begin(), first.ids.end());
    if (2 * first.withText <= first.ids.size() || different.size() < first.ids.size()
        || !std::all_of(first.ids.begin(), first.ids.end(), mayBeId))
        return false;
    const bool areEnough = first.ids.size() > 1 || isNamedText;
    return (areEnough && lookLikeIds(first.ids)) || (isNamedText && areInOrder(first.ids));
}

LmTexts ofTable(const Lines& lines)
{
    LmTexts texts { {},
        "the first word of every line is an ID, as in Kaldi's text, and left out (--no-ids keeps "
        "it)" };
    for (const std::string& line : lines) {
        const std::string_view text = trim(line);
        texts.lines.emplace_back(text.substr(std::min(text.size(), firstWord(line).size())));
    }
    return texts;
}

} // namespace

Result<LmTexts> lmTexts(const std::filesystem::path& source, LineIds ids)
{
    if (data::isManifest(source) && !data::isListOfLines(source)) // whose lengths count for nothing
        return ofManifest(source);
    Result<std::string> text = readMaybePacked(source);
    if (!text)
        return text.error();
    const Lines lines = split(*text, '\n');
    if (isListOfObjects(lines))
        return ofObjects(lines, source.string());
    const bool haveIds = ids == LineIds::Recognised && isTable(lines, source.filename() == "text");
    return haveIds ? ofTable(lines) : LmTexts { lines, "" };
}

std::string lmSentence(const std::string& text, bool byCharacter)
{
    std::vector<std::string> words;
    for (const std::string& word : splitAtWhiteSpace(text)) {
        const std::vector<std::string> parts
            = byCharacter ? graphemes(word) : std::vector<std::string> { word };
        words.insert(words.end(), parts.begin(), parts.end());
    }
    return join(words, " ");
}

} // namespace earwright::cli
