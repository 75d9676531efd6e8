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

/// Of ASCII, or the full-width one (U+3000) that input methods for these languages write. `point`:
/// as above.
bool isBlankPoint(std::string_view point);

/// Most of the units of the texts are such letters: they have no words to count. Hangul counts in
/// texts without a blank.
bool areCjkSentences(const std::vector<std::string>& texts);

/// The units that such texts are counted in, as WeNet and FunASR count Mandarin with English: each
/// such letter by itself, other letters by words; no blanks. "打开 Menu" -> 打 开 Menu.
std::vector<std::string> mixedUnits(const std::string& text);

} // namespace earwright
