#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace earwright::data {

/// What words are made of beside A-Z and '.
enum class CapitalDigits {
    None, ///< Libriheavy's: how they are spoken is not known
    Kept, ///< People's Speech's: 0-9 and _, which ends words
};

/// Why texts are left out of which nothing is made.
constexpr const char* kUnclearSigns = "signs that can be spoken in several ways";

/// A sentence of English as words in capitals: punctuation ends words, apostrophes stay inside
/// them, & and + are read. Nothing where another letter or sign leaves open what is spoken.
/// Source: english_specific_preprocess() of SpeechBrain's libriheavy_prepare.py and
/// peoples_speech_prepare.py, which end with an error where this gives nothing.
std::optional<std::string> capitalWords(
    std::string_view utf8, CapitalDigits digits = CapitalDigits::None);

} // namespace earwright::data
