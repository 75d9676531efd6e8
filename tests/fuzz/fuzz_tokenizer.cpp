// Byte pairs from elsewhere: tokenizer.json, and the files of a folder of the Hub.
#include "core/base/json_depth.h"
#include "core/base/text.h"
#include "core/data/byte_pair_tables.h"
#include "core/data/byte_pairs.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace earwright;

namespace {

constexpr const char* kFiles[] = { "tokenizer.json", "vocab.json", "merges.txt",
    "added_tokens.json", "tokenizer_config.json", "special_tokens_map.json", "normalizer.json" };

void requireSound(const data::BytePairs& pairs, const std::string& text)
{
    const auto size = static_cast<int64_t>(pairs.tokens().size());
    const std::vector<int64_t> indices = pairs.encode(text);
    for (const int64_t index : indices)
        fuzz::require(index >= 0 && index < size, "a text has tokens of the table");
    fuzz::require(
        brokenUtf8At(pairs.decode(indices, false)) == std::string::npos, "what is spelt is UTF-8");
    fuzz::require(pairs.decode({ -1, size, size + 1 }).empty(), "other indices spell nothing");
    for (int64_t index = 0; index < size; ++index) {
        const std::string& token = pairs.tokens()[static_cast<size_t>(index)];
        fuzz::require(
            token.empty() || pairs.indexOf(token) == index, "each token has its index", token);
    }
    const auto again = data::BytePairs::parse(pairs.fileText());
    fuzz::require(bool(again), "what is kept is read", again ? "" : again.error().message);
    fuzz::require(again->tokens() == pairs.tokens() && again->encode(text) == indices
            && again->spellings() == pairs.spellings(),
        "as it was");
}

void read(const std::string& json, const std::string& text)
{
    const auto pairs = data::BytePairs::parse(json);
    if (pairs)
        requireSound(*pairs, text);
    else
        fuzz::require(!pairs.error().message.empty(), "an error says why");
}

std::string textOf(const nlohmann::json& json)
{
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A token for each byte, which no small input has: so that what stands beside them is read too.
void addBytes(nlohmann::json& vocabulary)
{
    if (!vocabulary.is_object() && !vocabulary.is_null())
        return;
    for (size_t byte = 0; byte < data::byteLetters().size(); ++byte)
        vocabulary[data::byteLetters()[byte]] = byte;
}

/// A vocab.json with them, and a tokenizer.json.
std::string withBytes(const std::string& input)
{
    nlohmann::json json = parseShallow<nlohmann::json>(input);
    if (json.is_discarded())
        return input;
    addBytes(json);
    return textOf(json);
}

std::string completed(const std::string& input)
{
    nlohmann::json json = parseShallow<nlohmann::json>(input);
    if (!json.is_object() || !json.contains("model") || !json["model"].is_object())
        return input;
    addBytes(json["model"]["vocab"]);
    return textOf(json);
}

/// Each part between NULs is one of the files; what is empty is not there.
void readFolder(std::string_view input)
{
    const std::vector<std::string> parts = split(input, '\0');
    for (size_t i = 0; i < std::size(kFiles); ++i) {
        std::error_code none;
        std::filesystem::remove(fuzz::folder() / kFiles[i], none);
        if (i < parts.size() && !parts[i].empty())
            fuzz::fileWith(i == 0 ? completed(parts[i])
                    : i == 1      ? withBytes(parts[i])
                                  : parts[i],
                kFiles[i]);
    }
    const auto pairs = data::BytePairs::read(fuzz::folder());
    if (pairs)
        requireSound(*pairs, parts.back());
    else
        fuzz::require(pairs.error().message.find(fuzz::folder().string()) != std::string::npos,
            "an error names the file", pairs.error().message);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string_view input = fuzz::textOf(data, size);
    const std::string text(input);
    read(text, text);
    read(completed(text), text);
    readFolder(input);
    return 0;
}
