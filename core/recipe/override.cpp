#include "core/recipe/override.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/recipe/characters.h"
#include "core/recipe/invisible.h"
#include "core/recipe/parse.h"

#include <algorithm>

namespace earwright::recipe {
namespace {

constexpr size_t kMaxPathLength = 50;

/// "--a.b=3" cut in two; without a value where it holds no "=".
struct Word {
    std::string key;
    std::optional<std::string> value;
};

Word cut(std::string_view word)
{
    for (const std::string_view prefix : { "--", "++" }) {
        if (word.starts_with(prefix)) {
            word.remove_prefix(prefix.size());
            break;
        }
    }
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos)
        return { std::string(word), std::nullopt };
    return { std::string(word.substr(0, equals)), std::string(word.substr(equals + 1)) };
}

/// Whose value it is; an item of a list is its list's.
std::string keyOf(const std::vector<std::string>& path)
{
    const auto key = std::find_if(path.rbegin(), path.rend(),
        [](const std::string& part) { return !parseNumber<size_t>(part); });
    return key == path.rend() ? "" : *key;
}

Result<NodePtr> readValue(
    const std::string& value, const std::string& key, const std::string& typed)
{
    const Parsed parsed = parse(value, "the override", key);
    if (parsed.root && parsed.diagnostics.empty())
        return parsed.root;
    return Error { "'" + typed + "': " + parsed.diagnostics.front().message };
}

Result<Override> makeOverride(const std::string& key, const std::string& value, std::string typed)
{
    if (brokenUtf8At(typed) != std::string::npos)
        return Error { "'" + typed
            + "' is not UTF-8, as all of a recipe must be; give a path of other bytes another "
              "name, "
              "or a link to it" };
    const std::vector<std::string> path = split(key, '.');
    const bool hasGap = std::any_of(path.begin(), path.end(),
        [](const std::string& part) { return trim(part).size() != part.size() || part.empty(); });
    if (hasGap || path.size() > kMaxPathLength)
        return Error { "'" + typed + "': '" + key
            + "' names no key; write --key=value or --section.key=value" };
    const SourceText keyText(key);
    if (const auto broken = checkCharacters(keyText, ""))
        return Error { "the name of an override: " + broken->message };
    if (const std::string wrong = invisibleInName(key); !wrong.empty())
        return Error { "the name of an override, " + inQuotes(key) + ": " + wrong };
    Result<NodePtr> node = readValue(value, keyOf(path), typed);
    if (!node)
        return node.error();
    return Override { path, *node, std::move(typed) };
}

} // namespace

Result<std::vector<Override>> parseOverrides(const std::vector<std::string>& words)
{
    std::vector<Override> overrides;
    for (size_t i = 0; i < words.size(); ++i) {
        Word word = cut(words[i]);
        std::string typed = words[i];
        if (!word.value && !typed.starts_with("--"))
            return Error { "'" + typed + "' is no override; write key=value or --key=value" };
        if (!word.value) {
            if (i + 1 == words.size() || words[i + 1].starts_with("--"))
                return Error { "'" + typed + "' has no value; write " + typed + "=value" };
            word.value = words[++i];
            typed += " " + *word.value;
        }
        Result<Override> made = makeOverride(word.key, *word.value, std::move(typed));
        if (!made)
            return made.error();
        overrides.push_back(std::move(*made));
    }
    return overrides;
}

} // namespace earwright::recipe
