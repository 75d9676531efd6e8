#include "core/data/token_list.h"

#include "core/base/file.h"
#include "core/base/json_depth.h"
#include "core/base/text.h"
#include "core/data/prepare/text_file.h"

#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace earwright::data {
namespace {

Result<std::vector<std::string>> tokensOfJson(const std::string& text)
{
    const auto list = parseShallow<nlohmann::json>(text);
    std::vector<std::string> tokens;
    if (!list.is_array())
        return Error { "it is no JSON list of tokens" };
    for (const nlohmann::json& token : list) {
        if (!token.is_string())
            return Error { "its entry " + std::to_string(tokens.size()) + " is no text" };
        tokens.push_back(token.get<std::string>());
    }
    return tokens;
}

std::vector<std::string> tokensOfLines(const std::string& text)
{
    std::vector<std::string> tokens = split(text, '\n');
    if (!tokens.empty() && tokens.back().empty())
        tokens.pop_back();
    for (std::string& token : tokens)
        token.erase(token.find_last_not_of(" \t\r") + 1);
    return tokens;
}

Result<Vocabulary> vocabularyOf(std::vector<std::string> tokens)
{
    std::map<std::string, int64_t> indices;
    for (const std::string& token : tokens) {
        const auto index = static_cast<int64_t>(indices.size());
        const auto [earlier, isNew] = indices.emplace(token, index);
        if (!isNew)
            return Error { "the token " + inQuotes(token) + " is there twice, as "
                + std::to_string(earlier->second) + " and " + std::to_string(index) };
    }
    const auto indexOf = [&](std::initializer_list<const char*> names) {
        std::optional<int64_t> found;
        for (const char* name : names)
            if (const auto at = indices.find(name); at != indices.end() && !found)
                found = at->second;
        return found;
    };
    Vocabulary vocabulary { .kind = Vocabulary::Kind::Tokens,
        .special = specialAmong(tokens),
        .blank = indexOf({ "<blank>", "<blk>" }),
        .bos = indexOf({ "<s>", "<sos>" }),
        .eos = indexOf({ "</s>", "<eos>" }),
        .unknown = indexOf({ "<unk>" }) };
    vocabulary.labels = std::move(tokens);
    return vocabulary;
}

} // namespace

Result<Vocabulary> readTokenList(const std::filesystem::path& file)
{
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    if (const Status checked = checkText(*text, file); !checked)
        return Error { "token list " + checked.error().message };
    Result<std::vector<std::string>> tokens
        = file.extension() == ".json" ? tokensOfJson(*text) : tokensOfLines(*text);
    Result<Vocabulary> vocabulary = tokens ? vocabularyOf(std::move(*tokens)) : tokens.error();
    if (!vocabulary)
        return Error { "token list '" + file.string() + "': " + vocabulary.error().message };
    return vocabulary;
}

} // namespace earwright::data
