#pragma once

#include "core/data/byte_pairs.h"

#include <string>

namespace earwright::data {

/// Whisper's EnglishTextNormalizer, as transformers has it: small letters, no punctuation, no
/// filled pauses, contractions written out, numbers in digits ("two hundred dollars" -> "$200"),
/// and `spellings`, British to American as a folder's normalizer.json lists them. Without these
/// words stay as they are spelt, where transformers fails. The text may begin and end with a blank.
std::string normalizedEnglish(const std::string& text, const Spellings& spellings);

/// Its BasicTextNormalizer: small letters, marks and signs become blanks, each row of blanks one.
/// `removeDiacritics` takes accents off letters; `splitLetters` puts a blank between letters.
std::string normalizedBasic(
    const std::string& text, bool removeDiacritics = false, bool splitLetters = false);

} // namespace earwright::data
