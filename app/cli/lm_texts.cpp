#include "app/cli/lm_texts.h"

#include "core/base/text.h"
#include "core/data/manifest.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace kymo::cli {

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

std::string firstWord(const std::string& line)
{
    const std::string_view text = trim(line);
    return std::string(text.substr(0, text.find_first_of(" \t")));
}

bool hasDigit(const std::string& word)
{
    return word.find_first_of("0123456789") != std::string::npos;
}

/// IDs are different, and people write digits into them; texts repeat their beginnings.
bool isTable(const Lines& lines, bool isNamedText)
{
    std::set<std::string> ids;
    size_t rows = 0;
    bool haveDigits = true;
    for (const std::string& line : lines) {
        const std::string id = firstWord(line);
        rows += id.empty() ? 0 : 1;
        haveDigits &= id.empty() || hasDigit(id);
        if (!id.empty() && !ids.insert(id).second)
            return false;
    }
    return rows > 0 && ((haveDigits && rows > 1) || isNamedText);
}

LmTexts ofTable(const Lines& lines)
{
    LmTexts texts { {}, "the first word of every line is an ID, as in Kaldi's text, and left out" };
    for (const std::string& line : lines) {
        const std::string_view text = trim(line);
        texts.lines.emplace_back(text.substr(std::min(text.size(), firstWord(line).size())));
    }
    return texts;
}

} // namespace

Result<LmTexts> lmTexts(const std::filesystem::path& source)
{
    if (data::isManifest(source))
        return ofManifest(source);
    const Result<std::string> text = data::readText(source);
    if (!text)
        return text.error();
    const Lines lines = split(*text, '\n');
    if (isListOfObjects(lines))
        return ofObjects(lines, source.string());
    return isTable(lines, source.filename() == "text") ? ofTable(lines) : LmTexts { lines, "" };
}

std::string lmSentence(const std::string& text, bool byCharacter)
{
    std::vector<std::string> words;
    for (const std::string& word : split(text, ' ')) {
        const std::string trimmed(trim(word));
        if (trimmed.empty())
            continue;
        const std::vector<std::string> parts
            = byCharacter ? codePoints(trimmed) : std::vector<std::string> { trimmed };
        words.insert(words.end(), parts.begin(), parts.end());
    }
    return join(words, " ");
}

} // namespace kymo::cli
