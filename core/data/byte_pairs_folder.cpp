#include "core/base/file.h"
#include "core/base/json_depth.h"
#include "core/base/text.h"
#include "core/data/byte_pairs.h"
#include "core/data/tokenizer_json.h"

#include <map>
#include <set>

// How byte pairs are read from the files of a folder of the Hub.

namespace earwright::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTokenizer = "tokenizer.json";
constexpr const char* kVocabulary = "vocab.json";
constexpr const char* kMerges = "merges.txt";
constexpr const char* kAdded = "added_tokens.json";
constexpr const char* kSpecialMap = "special_tokens_map.json";
constexpr const char* kTokenizerConfig = "tokenizer_config.json";
constexpr const char* kNormalizer = "normalizer.json";
constexpr const char* kAddedDecoder = "added_tokens_decoder"; ///< of tokenizer_config.json

Error inFile(const fs::path& file, const std::string& what)
{
    return Error { "'" + file.string() + "': " + what };
}

/// An object; an empty one where there is no such file.
Result<Json> readObject(const fs::path& file, bool mayBeMissing)
{
    if (mayBeMissing && !isFile(file))
        return Json::object();
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    Json object = parseShallow<Json>(*text);
    return object.is_object() ? Result<Json>(std::move(object))
                              : inFile(file, "it is no JSON object");
}

/// `told`: what a file says of the token; null where it has its name alone.
Json addedJson(
    const std::string& name, const Json& index, bool isSpecial, const Json& told = nullptr)
{
    const auto is = [&](const char* part) { return isJsonTrue(jsonMember(told, part)); };
    return { { "id", index }, { "content", name }, { "single_word", is("single_word") },
        { "lstrip", is("lstrip") }, { "rstrip", is("rstrip") }, { "normalized", false },
        { "special", isSpecial } };
}

/// The names of tokens that special_tokens_map.json or tokenizer_config.json calls special.
std::set<std::string> specialNames(const Json& map)
{
    std::set<std::string> names { "<|endoftext|>", "<|startoftranscript|>" };
    const auto take = [&](const Json& token) {
        names.insert(jsonText(token.is_object() ? jsonMember(token, "content") : token));
    };
    for (const auto& [key, value] : map.items()) {
        if (key.ends_with("_token"))
            take(value);
        if (key == "additional_special_tokens")
            for (const Json& token : value)
                take(token);
    }
    names.erase("");
    return names;
}

/// The lines of merges.txt, as a tokenizer.json has them.
Result<Json> mergesOf(const fs::path& file)
{
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    if (brokenUtf8At(*text) != std::string::npos)
        return inFile(file, "it is no UTF-8");
    Json merges = Json::array();
    for (const std::string& line : split(*text, '\n'))
        if (const std::string_view pair = trim(line);
            !pair.empty() && !pair.starts_with("#version"))
            merges.push_back(pair);
    return merges;
}

/// The tokenizer.json of a folder that has vocab.json and merges.txt.
Result<Json> composedTokenizer(const fs::path& folder)
{
    const Result<Json> vocabulary = readObject(folder / kVocabulary, false);
    const Result<Json> merges = mergesOf(folder / kMerges);
    const Result<Json> added = readObject(folder / kAdded, true);
    const Result<Json> map = readObject(folder / kSpecialMap, true);
    const Result<Json> config = readObject(folder / kTokenizerConfig, true);
    for (const Result<Json>* read : { &vocabulary, &merges, &added, &map, &config })
        if (!*read)
            return read->error();
    Json all = *added;
    std::set<std::string> special = specialNames(*map);
    special.merge(specialNames(*config));
    for (const std::string& name : special)
        if (vocabulary->contains(name))
            all[name] = (*vocabulary)[name];
    Json tokens = Json::array();
    for (const auto& [name, index] : all.items())
        tokens.push_back(addedJson(name, index, special.contains(name)));
    const Json byteLevel { { "type", "ByteLevel" }, { "add_prefix_space", false },
        { "trim_offsets", true }, { "use_regex", true } };
    return Json { { "version", "1.0" }, { "truncation", nullptr }, { "padding", nullptr },
        { "added_tokens", tokens }, { "normalizer", nullptr }, { "pre_tokenizer", byteLevel },
        { "post_processor", nullptr }, { "decoder", byteLevel },
        { "model",
            { { "type", "BPE" }, { "dropout", nullptr }, { "unk_token", nullptr },
                { "continuing_subword_prefix", "" }, { "end_of_word_suffix", "" },
                { "fuse_unk", false }, { "vocab", *vocabulary }, { "merges", *merges } } } };
}

/// Tokens of tokenizer_config.json's `added_tokens_decoder` that a tokenizer.json has not.
Status addTokensOf(const Json& config, Json& json)
{
    std::map<int64_t, std::string> known;
    for (const Json& token : jsonMember(json, "added_tokens"))
        if (jsonMember(token, "id").is_number_integer())
            known[token["id"].get<int64_t>()] = jsonText(jsonMember(token, "content"));
    for (const auto& [key, token] : jsonMember(config, kAddedDecoder).items()) {
        const Json index = parseShallow<Json>(key);
        const std::string name = jsonText(jsonMember(token, "content"));
        if (!index.is_number_integer())
            return Error { "an index of 'added_tokens_decoder' is " + inQuotes(key) };
        const auto at = known.find(index.get<int64_t>());
        if (at != known.end() && at->second != name)
            return Error { "token " + key + " is " + inQuotes(name) + ", in tokenizer.json "
                + inQuotes(at->second) };
        if (at == known.end())
            json["added_tokens"].push_back(
                addedJson(name, index, isJsonTrue(jsonMember(token, "special")), token));
    }
    return Done {};
}

/// The text of a folder's tokenizer.json, as it is where no token of another file is added.
Result<std::string> tokenizerOf(const fs::path& folder)
{
    const fs::path file = folder / kTokenizer;
    const Result<Json> config = readObject(folder / kTokenizerConfig, true);
    if (!config)
        return config.error();
    if (isFile(file) && !config->contains(kAddedDecoder))
        return readFile(file);
    Result<Json> json = isFile(file) ? readObject(file, false) : composedTokenizer(folder);
    if (!json)
        return json.error();
    if (const Status added = addTokensOf(*config, *json); !added)
        return inFile(folder / kTokenizerConfig, added.error().message);
    return json->dump();
}

} // namespace

Result<BytePairs> BytePairs::read(const fs::path& folder)
{
    const fs::path file = folder / (isFile(folder / kTokenizer) ? kTokenizer : kVocabulary);
    if (!isFile(file))
        return inFile(folder,
            "it has no tokenizer: fetch tokenizer.json, or vocab.json and merges.txt, into it");
    const Result<std::string> json = tokenizerOf(folder);
    const Result<Json> spellings = readObject(folder / kNormalizer, true);
    if (!json || !spellings)
        return json ? spellings.error() : json.error();
    Result<BytePairs> pairs = parse(spellings->empty() ? *json : withSpellings(*json, *spellings));
    return pairs ? std::move(pairs) : inFile(file, pairs.error().message);
}

} // namespace earwright::data
