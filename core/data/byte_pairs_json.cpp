#include "core/base/code_point.h"
#include "core/base/json_depth.h"
#include "core/base/text.h"
#include "core/data/byte_pair_tables.h"
#include "core/data/tokenizer_json.h"

#include <algorithm>

// How byte pairs are read from a tokenizer.json.

namespace earwright::data {
namespace {

/// One high index makes a table up to it; Whisper has 51,866.
constexpr int64_t kMostTokens = int64_t { 1 } << 20;

/// What of a tokenizer.json is another thing than Whisper's kind; "" where nothing is.
std::string otherKind(const Json& json)
{
    const auto typeOf = [&](const char* part, const char* wanted) {
        const Json& value = jsonMember(json, part);
        const std::string type = jsonText(jsonMember(value, "type"));
        return value.is_null() || type == wanted ? "" : inQuotes(part) + " is " + inQuotes(type);
    };
    const Json& model = jsonMember(json, "model");
    if (!model.is_object())
        return "it has no 'model'";
    if (model.contains("type") && jsonText(jsonMember(model, "type")) != "BPE")
        return typeOf("model", "BPE");
    const Json& words = jsonMember(json, "pre_tokenizer");
    if (!words.is_object())
        return "it has no 'pre_tokenizer'";
    for (const std::string& other :
        { typeOf("pre_tokenizer", "ByteLevel"), typeOf("decoder", "ByteLevel") })
        if (!other.empty())
            return other;
    if (!jsonMember(json, "normalizer").is_null())
        return "it has a 'normalizer'";
    if (isJsonTrue(jsonMember(words, "add_prefix_space")))
        return "'add_prefix_space' of its pre_tokenizer is true";
    if (words.contains("use_regex") && !isJsonTrue(words["use_regex"]))
        return "'use_regex' of its pre_tokenizer is false";
    for (const char* part : { "continuing_subword_prefix", "end_of_word_suffix" })
        if (!jsonText(jsonMember(model, part)).empty())
            return inQuotes(part) + " of its model is not empty";
    for (const char* part : { "byte_fallback", "ignore_merges" })
        if (isJsonTrue(jsonMember(model, part)))
            return inQuotes(part) + " of its model is true";
    const Json& dropout = jsonMember(model, "dropout");
    return dropout.is_number() && dropout.get<double>() != 0 ? "'dropout' of its model is not 0"
                                                             : "";
}

/// The bytes by the code points of their letters; -1 of all others.
const std::vector<int>& bytesByCode()
{
    static const std::vector<int> bytes = [] {
        std::vector<int> made;
        for (size_t byte = 0; byte < byteLetters().size(); ++byte) {
            const uint32_t code = codeOf(byteLetters()[byte]);
            made.resize(std::max<size_t>(made.size(), code + 1), -1);
            made[code] = static_cast<int>(byte);
        }
        return made;
    }();
    return bytes;
}

/// A letter stands for each byte; a name that was added is spelt as it is.
std::string speltBy(const std::string& token)
{
    const std::vector<int>& bytes = bytesByCode();
    const std::string_view letters = token;
    std::string spelt;
    for (size_t at = 0; at < letters.size(); at += codePointLength(letters, at)) {
        const uint32_t code = codeOf(letters.substr(at, codePointLength(letters, at)));
        if (code >= bytes.size() || bytes[code] < 0)
            return token;
        spelt += static_cast<char>(bytes[code]);
    }
    return spelt;
}

} // namespace

std::string withSpellings(std::string object, const Json& spellings)
{
    const size_t end = object.rfind('}');
    if (end == std::string::npos)
        return object;
    const Json name = kSpellingsMember;
    return object.erase(end) + "," + name.dump() + ":" + spellings.dump() + "}";
}

const Json& jsonMember(const Json& object, const char* name)
{
    static const Json none;
    const auto at = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && at != object.end() ? *at : none;
}

std::string jsonText(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : "";
}

bool isJsonTrue(const Json& value)
{
    return value.is_boolean() && value.get<bool>();
}

/// Fills tables from the parts of a tokenizer.json.
struct BytePairs::Builder {
    Tables& tables;

    Status add(const std::string& name, const Json& index)
    {
        const int64_t at = index.is_number_integer() ? index.get<int64_t>() : -1;
        if (at < 0)
            return Error { "token " + inQuotes(name) + " has no index" };
        if (at >= kMostTokens)
            return Error { "token " + inQuotes(name) + " has the index " + std::to_string(at)
                + "; a vocabulary has at most " + std::to_string(kMostTokens) + " tokens" };
        if (at >= std::ssize(tables.tokens))
            tables.tokens.resize(static_cast<size_t>(at) + 1);
        std::string& own = tables.tokens[static_cast<size_t>(at)];
        const auto known = tables.indexOf.find(name);
        if ((!own.empty() && own != name) || (known != tables.indexOf.end() && known->second != at))
            return Error { "token " + inQuotes(name) + " and index " + std::to_string(at)
                + " are there twice" };
        own = name;
        tables.indexOf[name] = at;
        return Done {};
    }

    Status addVocabulary(const Json& vocabulary)
    {
        if (!vocabulary.is_object() || vocabulary.empty())
            return Error { "its model has no 'vocab'" };
        for (const auto& [name, index] : vocabulary.items())
            if (const Status added = add(name, index); !added)
                return added;
        for (size_t byte = 0; byte < byteLetters().size(); ++byte) {
            const auto at = tables.indexOf.find(byteLetters()[byte]);
            if (at == tables.indexOf.end())
                return Error { "its vocabulary has no token " + inQuotes(byteLetters()[byte])
                    + " for the byte " + std::to_string(byte) };
            tables.byteIndices[byte] = static_cast<int32_t>(at->second);
        }
        return Done {};
    }

    /// Null where there is no such token.
    const int64_t* find(const std::string& name) const
    {
        const auto at = tables.indexOf.find(name);
        return at == tables.indexOf.end() ? nullptr : &at->second;
    }

    /// "Ġ t", or ["Ġ", "t"] as newer files have it.
    Status addMerge(const Json& merge, int32_t rank)
    {
        std::vector<std::string> parts;
        if (merge.is_array())
            for (const Json& part : merge)
                parts.push_back(jsonText(part));
        else
            parts = split(jsonText(merge), ' ');
        const bool isPair = parts.size() == 2;
        const int64_t* left = isPair ? find(parts[0]) : nullptr;
        const int64_t* right = isPair ? find(parts[1]) : nullptr;
        const int64_t* both = isPair ? find(parts[0] + parts[1]) : nullptr;
        if (!left || !right || !both)
            return Error { "merge " + std::to_string(rank + 1) + ", " + inQuotes(join(parts, " "))
                + ", is no pair of its tokens that gives a third" };
        tables.merges.insert_or_assign(
            Tables::keyOf(static_cast<int32_t>(*left), static_cast<int32_t>(*right)),
            Tables::Merge { rank, static_cast<int32_t>(*both) });
        return Done {};
    }

    Status addMerges(const Json& merges)
    {
        if (!merges.is_array())
            return Error { "its model has no 'merges'" };
        int32_t rank = 0;
        for (const Json& merge : merges)
            if (const Status added = addMerge(merge, rank++); !added)
                return added;
        return Done {};
    }

    Status addAdded(const Json& tokens)
    {
        for (const Json& token : tokens) {
            const std::string name = jsonText(jsonMember(token, "content"));
            for (const char* part : { "single_word", "lstrip", "rstrip" })
                if (isJsonTrue(jsonMember(token, part)))
                    return Error { inQuotes(part) + " of the added token " + inQuotes(name)
                        + " is true, which Earwright does not follow" };
            if (const Status added = add(name, jsonMember(token, "id")); !added)
                return added;
            if (!name.empty())
                tables.added.push_back(
                    { name, tables.indexOf[name], isJsonTrue(jsonMember(token, "special")) });
        }
        return Done {};
    }

    void finish()
    {
        std::stable_sort(tables.added.begin(), tables.added.end(),
            [](const AddedToken& a, const AddedToken& b) { return a.name.size() > b.name.size(); });
        tables.isSpecial.resize(tables.tokens.size());
        for (const AddedToken& token : tables.added) {
            tables.beginsAdded[static_cast<unsigned char>(token.name.front())] = true;
            tables.isSpecial[static_cast<size_t>(token.index)] = token.isSpecial;
        }
        for (const std::string& token : tables.tokens)
            tables.spelt.push_back(speltBy(token));
    }

    Status take(const Json& json)
    {
        const Json& model = jsonMember(json, "model");
        for (const auto& [name, spelling] : jsonMember(json, kSpellingsMember).items())
            tables.spellings.emplace(name, jsonText(spelling));
        if (const Status added = addVocabulary(jsonMember(model, "vocab")); !added)
            return added;
        if (const Status added = addMerges(jsonMember(model, "merges")); !added)
            return added;
        if (const Status added = addAdded(jsonMember(json, "added_tokens")); !added)
            return added;
        finish();
        return Done {};
    }
};

Result<BytePairs> BytePairs::parse(const std::string& json)
{
    Json parsed = parseShallow<Json>(json);
    if (!parsed.is_object())
        return Error { "it is no JSON object" };
    if (const std::string other = otherKind(parsed); !other.empty())
        return Error { other
            + "; Earwright reads byte-level BPE, as Whisper's folders have it: model BPE, "
              "pre_tokenizer and decoder ByteLevel, no normalizer" };
    const auto tables = std::make_shared<Tables>();
    if (const Status taken = Builder { *tables }.take(parsed); !taken)
        return taken.error();
    tables->tokenizerJson = parsed.erase(kSpellingsMember) > 0 ? parsed.dump() : json;
    return BytePairs(tables);
}

} // namespace earwright::data
