#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace earwright {

// What a reader cannot see of a text, by Unicode's own tables (ICU).

bool isAscii(std::string_view text);

/// Drawn as nothing: zero-width spaces and joiners, marks of direction, soft hyphens (Unicode's
/// Default_Ignorable_Code_Point).
bool isInvisible(uint32_t code);
/// A blank or line end outside ASCII, such as a no-break space.
bool isOtherBlank(uint32_t code);
/// A letter of a script other than Latin, or a picture.
bool isOfOtherScript(uint32_t code);
/// "U+00A0 (NO-BREAK SPACE)"
std::string characterName(uint32_t code);

/// Two texts with the same look cannot be told apart in most fonts: Unicode's skeleton (UTS #39)
/// after its compatibility forms, so that full-width letters look like ASCII's.
std::string lookOf(std::string_view utf8);
/// The first character outside ASCII of a text that looks like another one, in ASCII: "U+0430
/// (CYRILLIC SMALL LETTER A)"; "" where it looks otherwise or is the same.
std::string lookAlikeIn(std::string_view utf8, std::string_view ascii);

} // namespace earwright
