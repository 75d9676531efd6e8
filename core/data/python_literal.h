#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace earwright::data {

/// A UTF-8 text as Python's repr() writes it: single quotes unless it holds a single quote and no
/// double one.
std::string pythonRepr(std::string_view utf8);

struct PythonString {
    std::string value; ///< UTF-8
    size_t length = 0; ///< bytes the literal takes, quotes included
};

/// The string literal that `text` begins with, or nothing (ast.literal_eval for the forms repr()
/// writes); half of a UTF-16 pair, which UTF-8 cannot have, is none.
std::optional<PythonString> parsePythonString(std::string_view text);

} // namespace earwright::data
