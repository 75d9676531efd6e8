#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace earwright::data {

/// A sentence of English books as words of A-Z and ' in capitals: punctuation ends words,
/// apostrophes stay inside them, & and + are read. Nothing where a letter or sign leaves open what
/// is spoken.
std::optional<std::string> capitalWords(std::string_view utf8);

} // namespace earwright::data
