#include "core/data/hub_vocabulary.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/text.h"
#include "core/data/python_literal.h"

#include <algorithm>
#include <map>

namespace earwright::data {

namespace {

namespace fs = std::filesystem;

/// One that is missing, or no text, leaves `value` as it is.
template <class T>
void readSetting(const fs::path& file, const char* name, T& value)
{
    const Result<std::string> text = readFile(file);
    T read = value;
    if (text && readJson(*text, [&](JsonReader& json) { json(name, read); }))
        value = read;
}

/// A token of tokenizer_config.json: a text, or an object that describes it by more than that.
void readToken(const fs::path& file, const char* name, std::string& token)
{
    readSetting(file, name, token);
    const Result<std::string> text = readFile(file);
    std::string content = token;
    if (text && readJson(*text, [&](JsonReader& json) { json.object(name)("content", content); }))
        token = content;
}

Error inVocabulary(const fs::path& file, const std::string& what)
{
    return Error { inQuotes(file.string()) + ": " + what
        + "; make labels of your texts instead (--vocab replace)" };
}

/// Their order is that of the indices.
Result<std::vector<std::string>> labelsByIndex(
    const std::map<std::string, int64_t>& indices, const fs::path& file)
{
    std::vector<std::string> labels(indices.size());
    std::vector<bool> isGiven(indices.size());
    for (const auto& [label, index] : indices) {
        if (index < 0 || index >= std::ssize(labels) || isGiven[static_cast<size_t>(index)])
            return inVocabulary(file,
                "the indices are not each of 0 to " + std::to_string(labels.size() - 1) + ": "
                    + inQuotes(label) + " has " + std::to_string(index));
        labels[static_cast<size_t>(index)] = label;
        isGiven[static_cast<size_t>(index)] = true;
    }
    return labels;
}

} // namespace

std::string HubVocabulary::labelFile() const
{
    std::string text;
    for (size_t i = 0; i < labels.size(); ++i)
        text += pythonRepr(labels[i]) + " => " + std::to_string(i) + "\n";
    text += "================\n'starting_index' => 0\n";
    const auto name = [&](const char* role, const std::string& label) {
        if (std::find(labels.begin(), labels.end(), label) != labels.end())
            text += pythonRepr(role) + " => " + pythonRepr(label) + "\n";
    };
    name("unk_label", unknown);
    name("bos_label", "<s>");
    name("eos_label", "</s>");
    name("blank_label", labels[static_cast<size_t>(blank)]);
    return text;
}

bool HubVocabulary::hasUnknown() const
{
    return std::find(labels.begin(), labels.end(), unknown) != labels.end();
}

std::set<std::string> HubVocabulary::lacking(const std::vector<std::string>& texts) const
{
    const std::set<std::string> known(labels.begin(), labels.end());
    std::set<std::string> lacking;
    for (const std::string& text : texts)
        for (std::string& letter : codePoints(text))
            if (!known.contains(letter))
                lacking.insert(std::move(letter));
    return lacking;
}

Result<HubVocabulary> readHubVocabulary(const fs::path& folder)
{
    const fs::path file = folder / "vocab.json";
    const Result<std::string> text = readFile(file);
    if (!text)
        return inVocabulary(file, "there is no such file");
    std::map<std::string, int64_t> indices;
    const Status read = readJson(*text, [&](JsonReader& json) {
        for (const std::string& name : json.names())
            json(name.c_str(), indices[name]);
    });
    if (!read)
        return inVocabulary(
            file, "it is no map of labels to indices (" + read.error().message + ")");
    std::string delimiter = "|";
    const fs::path tokens = folder / "tokenizer_config.json";
    readToken(tokens, "word_delimiter_token", delimiter);
    if (const auto found = indices.find(delimiter); found != indices.end() && delimiter != " ") {
        const int64_t index = found->second;
        indices.erase(found);
        indices.emplace(" ", index);
    }
    const Result<std::vector<std::string>> labels = labelsByIndex(indices, file);
    if (!labels)
        return labels.error();
    HubVocabulary vocabulary { .labels = *labels };
    readToken(tokens, "unk_token", vocabulary.unknown);
    readSetting(folder / "config.json", "pad_token_id", vocabulary.blank);
    if (vocabulary.blank < 0 || vocabulary.blank >= std::ssize(vocabulary.labels))
        return inVocabulary(file,
            "it has no label " + std::to_string(vocabulary.blank)
                + ", which config.json names as CTC's blank (pad_token_id)");
    return vocabulary;
}

} // namespace earwright::data
