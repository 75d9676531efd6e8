#pragma once

#include <string>
#include <string_view>

namespace kymo::data {

/// A transcript to learn from: small letters (Latin with accents, Greek, Cyrillic) and apostrophes
/// inside words; all else is a word's end; words parted by one blank. "L'appel: Écouté" -> "l'appel
/// écouté".
std::string normalizeTranscript(std::string_view utf8);

/// The same character in small; unknown ones as they are.
std::string lowerCase(const std::string& character);

} // namespace kymo::data
