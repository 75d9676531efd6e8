#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kymo {

/// Ideographs, kana, hangul: letters of texts without blanks between words. `point`: one code point
/// as UTF-8.
bool isCjkLetter(std::string_view point);

/// Most of the texts are of such letters, and half of them at least without a blank: they have no
/// words to count.
bool areCjkSentences(const std::vector<std::string>& texts);

} // namespace kymo
