#pragma once

#include <string>
#include <string_view>

namespace earwright::data {

/// A transcript to learn from: small letters of any script with their accents and vowel signs,
/// composed (NFC), and inside words apostrophes, all spelled ', joiners, the dot of Catalan's l·l
/// and Hebrew's gershayim (its geresh is an apostrophe); all else is a word's end; words parted by
/// one blank. "L’appel: Écouté" -> "l'appel écouté". `language`: a code as Common Voice has it, for
/// what differs: small letters of tr and az; ar and fa are written without vowel marks; o‘ and g‘
/// of uz end words too. "" = any other.
std::string normalizeTranscript(std::string_view utf8, std::string_view language = "");

/// Why a text with digits is left out where texts are normalised.
constexpr const char* kReadAsWords = "digits, which are read as words";

/// Digits of any script, and other signs for numbers: ², ½.
bool hasDigit(std::string_view utf8);

} // namespace earwright::data
