#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace earwright {

/// The code point of one UTF-8 character, or its first byte where the bytes are broken.
uint32_t codeOf(std::string_view character);
std::string utf8Of(uint32_t code);
/// Letters with their accents as one code point where there is one (Unicode's NFC), so that two
/// spellings that look alike are alike; text that is no UTF-8 as it is.
std::string composed(std::string_view utf8);

/// What Unicode says of a code point, on every system the same (utf8proc).
bool isLetter(uint32_t code); ///< of any script; ideographs and number letters too
bool isCombiningMark(uint32_t code); ///< what stands on the letter before it: accents, vowel signs
bool isDigit(uint32_t code); ///< of any script; other signs for numbers (², ½, ①) too
uint32_t smallLetterOf(uint32_t code);
/// Cells of a terminal that a text takes: two for an ideograph, none for a combining mark.
size_t displayWidth(std::string_view utf8);

} // namespace earwright
