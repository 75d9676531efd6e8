#pragma once

#include "core/base/result.h"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace earwright::cli {

/// What a command line holds once the options of a command are taken out of it.
struct Arguments {
    std::map<std::string, std::string>
        options; ///< "--precision" -> "bf16"; a flag without a value -> ""
    std::vector<std::string> positional; ///< words that are neither option nor override, in order
    std::vector<std::string> overrides; ///< --key=value, key=value, ++key=value, --key value

    std::optional<std::string> option(const std::string& name) const;
    bool has(const std::string& name) const { return options.contains(name); }
};

/// `valued` options take a value ("--precision bf16" or "--precision=bf16"), never an empty one,
/// `flags` none. `numPositional` words at most are taken as positional, everything else is an
/// override. The error names the word: one too many, or an option or override without its value.
Result<Arguments> parseArguments(const std::vector<std::string>& words,
    const std::vector<std::string>& valued, const std::vector<std::string>& flags,
    size_t numPositional);

/// Of a command without overrides: a word that does not begin with "--" is a name, whatever is in
/// it. The error names an option that the command has not, and the nearest that it has, or the
/// first word beyond `numPositional`.
Result<Arguments> parseNames(const std::vector<std::string>& words,
    const std::vector<std::string>& valued, const std::vector<std::string>& flags = {},
    size_t numPositional = std::numeric_limits<size_t>::max());

/// The option that a word such as "--run" may be meant for: one that begins so, else one of a name
/// that is near; "" where there is none.
std::string nearestOption(const std::string& word, const std::vector<std::string>& options);

} // namespace earwright::cli
