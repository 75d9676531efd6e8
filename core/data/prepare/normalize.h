#pragma once

#include <string>
#include <string_view>

namespace kymo::data {

/// A transcript to learn from: small letters of any script with their accents and vowel signs,
/// composed (NFC), and apostrophes and joiners inside words; all else is a word's end; words parted
/// by one blank. "L'appel: Écouté" -> "l'appel écouté". `language`: a code as Common Voice has it,
/// for what differs: small letters of tr and az; ar and fa are written without vowel marks. "" =
/// any other.
std::string normalizeTranscript(std::string_view utf8, std::string_view language = "");

/// Digits of any script.
bool hasDigit(std::string_view utf8);

} // namespace kymo::data
