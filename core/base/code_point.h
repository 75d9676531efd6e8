#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kymo {

/// The code point of one UTF-8 character, or its first byte where the bytes are broken.
uint32_t codeOf(std::string_view character);
std::string utf8Of(uint32_t code);

/// What Unicode says of a code point, by the C library's tables for C.UTF-8. Where the system has
/// no such locale only ASCII is known: all else is a letter and has no case.
bool isLetter(uint32_t code); ///< vowel signs and the like too; no digits
bool isCombiningMark(uint32_t code); ///< what stands on the letter before it: accents, viramas
bool isDigit(uint32_t code); ///< of any script
uint32_t smallLetterOf(uint32_t code);

} // namespace kymo
