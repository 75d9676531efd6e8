#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earwright {

/// Ideographs, kana, hangul: letters that are tokens of their own. `point`: one code point as
/// UTF-8.
bool isCjkLetter(std::string_view point);

/// Of those the letters of languages without blanks between words, whatever blanks a corpus puts
/// there: not hangul.
bool isIdeograph(std::string_view point);
bool isIdeograph(char32_t point);

/// Each such letter by itself, other letters by words, no blanks, as WeNet and FunASR cut Mandarin
/// with English into tokens: "打开 Menu" -> 打 开 Menu.
std::vector<std::string> mixedUnits(const std::string& text);

} // namespace earwright
