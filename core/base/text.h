#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earwright {

/// All between two separators, empty parts too; one part where there is no separator.
std::vector<std::string> split(std::string_view text, char separator);
/// What stands between blanks, however many there are in a row: no part is empty.
std::vector<std::string> splitAtBlanks(std::string_view text, std::string_view blanks = " ");
/// The parts with the separator between each two.
std::string join(const std::vector<std::string>& parts, std::string_view separator);
/// The first `most` names, and how many more there are: "a, b and 3 more".
std::string listFirst(std::vector<std::string> names, size_t most);
/// Without ASCII's white space at both ends.
std::string_view trim(std::string_view text);
/// UTF-8's, which some editors write at a text's beginning.
std::string_view withoutByteOrderMark(std::string_view text);
/// What a terminal would obey, such as escape sequences, and what is no UTF-8, as "\x1b". Line ends
/// and tabs stay.
std::string withoutControls(std::string_view text);
/// 'text', as messages name things.
std::string inQuotes(std::string_view text);
/// "line 3: ", which begins what is wrong with a file's line.
std::string atLine(int line);
/// How many blanks a line begins with.
size_t indentation(std::string_view line);
/// ASCII's letters alone: all other bytes stay.
std::string toLower(std::string_view text);

/// Number of code points of a UTF-8 text; broken bytes count one each.
size_t codePointCount(std::string_view utf8);
/// Bytes of the code point that begins at `at`; 1 where the bytes are broken: halves of UTF-16
/// pairs (CESU-8), letters in more bytes than they need and what lies beyond U+10FFFF are.
size_t codePointLength(std::string_view utf8, size_t at);
/// Where the first byte stands that is no UTF-8; npos where all are.
size_t brokenUtf8At(std::string_view text);
/// The code points of a UTF-8 text, each as its own UTF-8 string.
std::vector<std::string> codePoints(std::string_view utf8);

/// Damerau-Levenshtein distance over bytes.
size_t editDistance(std::string_view a, std::string_view b);
/// The candidate nearest to `word` if it is near enough to be a typing error (distance <= max(2,
/// length/3)), else "".
std::string nearestName(std::string_view word, const std::vector<std::string>& candidates);

/// Shortest text that reads back as the same double, as Python's repr() prints it: 0.1 -> "0.1",
/// 1e20 -> "1e+20", 2.0 -> "2.0", 1e-08 -> "1e-08". Independent of the locale.
std::string formatDouble(double value);
/// The same without the ".0" of a whole number below 1e15: "2".
std::string formatNumber(double value);

/// SHA-256 of bytes as 64 hex digits.
std::string sha256Hex(std::string_view bytes);

} // namespace earwright
