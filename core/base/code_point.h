#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace earwright {

/// The code point of one UTF-8 character, or its first byte where the bytes are broken.
uint32_t codeOf(std::string_view character);
std::string utf8Of(uint32_t code);
/// Letters with their accents as one code point where there is one (Unicode's NFC), so that two
/// spellings that look alike are alike; text that is no UTF-8 as it is.
std::string composed(std::string_view utf8);

/// What Unicode says of a code point, on every system the same (utf8proc; ICU where that has no
/// table).
bool isLetter(uint32_t code); ///< of any script; ideographs and number letters too
bool isCombiningMark(uint32_t code); ///< what stands on the letter before it: accents, vowel signs
bool isDigit(uint32_t code); ///< of any script; other signs for numbers (², ½, ①) too
uint32_t smallLetterOf(uint32_t code);
uint32_t capitalOf(uint32_t code);
/// Belongs to a word and is heard in none: marks of a text's direction, soft hyphens (word break
/// class Format).
bool isFormatSign(uint32_t code);
/// Punctuation that stands within words, on letters: geresh, Armenian accents (word break class
/// ALetter).
bool isWordSign(uint32_t code);
bool isHebrewLetter(uint32_t code);
/// As Python's str.split() has it: Unicode's, and ASCII's separators (U+001C to U+001F). `point`:
/// one code point as UTF-8; a broken byte is none.
bool isWhiteSpace(std::string_view point);
/// Cells of a terminal that a text takes: two for an ideograph, none for a combining mark.
size_t displayWidth(std::string_view utf8);

/// What stands between white space: Python's text.split().
std::vector<std::string> splitAtWhiteSpace(std::string_view utf8);
/// What of a text's white space is no single blank between two words: "two blanks in a row", "a
/// blank at its end", "U+00A0"; "" = nothing.
std::string oddWhiteSpace(std::string_view utf8);
/// Letters with all that stands on them, as a reader counts them (extended grapheme clusters).
std::vector<std::string> graphemes(std::string_view utf8);
/// Never begins a grapheme, whatever letter comes before it: accents, vowel signs, Thai's sara am,
/// the second half of a Hangul syllable.
bool joinsGrapheme(uint32_t code);

} // namespace earwright
