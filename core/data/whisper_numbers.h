#pragma once

#include <string>

namespace earwright::data {

/// Numbers in words as digits, as EnglishNumberNormalizer of transformers writes them: "twenty one
/// dollars" -> "$21", "one oh one" -> "101", "the third" -> "the 3rd", but "one" stays. The text is
/// of small letters.
std::string withDigits(const std::string& text);

} // namespace earwright::data
