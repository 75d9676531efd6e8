#include "app/cli/arguments.h"

#include "core/base/names.h"
#include "core/base/text.h"

#include <algorithm>

namespace earwright::cli {

namespace {

bool hasMark(const std::string& word)
{
    return word.starts_with("--") || word.starts_with("++");
}

bool looksLikeOverride(const std::string& word)
{
    return hasMark(word) || word.find('=') != std::string::npos;
}

/// Whether words[i] is an option, which then is in `arguments`; behind its value, where it has one,
/// the caller goes on.
Result<bool> takeOption(const std::vector<std::string>& words, size_t& i,
    const std::vector<std::string>& valued, const std::vector<std::string>& flags,
    Arguments& arguments)
{
    const std::string& word = words[i];
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (contains(flags, word)) {
        arguments.options[word] = "";
        return true;
    }
    if (!contains(valued, name))
        return false;
    const std::string value = equals != std::string::npos ? word.substr(equals + 1)
        : i + 1 < words.size()                            ? words[++i]
                                                          : "";
    if (value.empty()) // of a folder it would be the working folder
        return Error { "option " + name + " needs a value" };
    arguments.options[name] = value;
    return true;
}

/// "; did you mean --out?" of a word that begins with "--" and is no option; "" where none is near.
std::string meantOption(const std::string& word, const std::vector<std::string>& valued,
    const std::vector<std::string>& flags)
{
    std::vector<std::string> known = valued;
    known.insert(known.end(), flags.begin(), flags.end());
    const std::string near = nearestOption(word.substr(0, word.find('=')), known);
    return near.empty() ? "" : "; did you mean " + near + "?";
}

} // namespace

std::optional<std::string> Arguments::option(const std::string& name) const
{
    const auto found = options.find(name);
    return found == options.end() ? std::nullopt : std::optional<std::string>(found->second);
}

Result<Arguments> parseArguments(const std::vector<std::string>& words,
    const std::vector<std::string>& valued, const std::vector<std::string>& flags,
    size_t numPositional)
{
    Arguments arguments;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const Result<bool> isOption = takeOption(words, i, valued, flags, arguments);
        if (!isOption)
            return isOption.error();
        if (*isOption)
            continue;
        if (looksLikeOverride(word)) {
            arguments.overrides.push_back(word);
            // "--key value": the value belongs to the key.
            const bool hasValue = word.find('=') != std::string::npos;
            if (!word.starts_with("--") || hasValue)
                continue;
            if (i + 1 == words.size() || hasMark(words[i + 1]))
                return Error { "'" + word + "' has no value; write " + word + "=value"
                    + meantOption(word, valued, flags) };
            arguments.overrides.push_back(words[++i]);
        } else if (arguments.positional.size() < numPositional) {
            arguments.positional.push_back(word);
        } else {
            return Error { "unexpected word '" + word + "'" };
        }
    }
    return arguments;
}

Result<Arguments> parseNames(const std::vector<std::string>& words,
    const std::vector<std::string>& valued, const std::vector<std::string>& flags,
    size_t numPositional)
{
    Arguments arguments;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string word = words[i];
        const Result<bool> isOption = takeOption(words, i, valued, flags, arguments);
        if (!isOption)
            return isOption.error();
        if (*isOption)
            continue;
        if (word.starts_with("--"))
            return Error { "unknown option " + word + meantOption(word, valued, flags) };
        if (arguments.positional.size() == numPositional)
            return Error { "unexpected word '" + word + "'" };
        arguments.positional.push_back(word);
    }
    return arguments;
}

std::string nearestOption(const std::string& word, const std::vector<std::string>& options)
{
    const auto longer = std::find_if(options.begin(), options.end(),
        [&](const std::string& option) { return option.starts_with(word); });
    return longer != options.end() ? *longer : nearestName(word, options);
}

} // namespace earwright::cli
