#pragma once

#include <string>
#include <string_view>

namespace earwright {

// Tables that people open in a spreadsheet. It runs a text that begins with = + - @, a tab or a
// line end as a formula, quoted or not (OWASP: CSV injection). Manifests are no such tables.

/// The text, behind an apostrophe where a spreadsheet would run it. Numbers, -1.5, are as they are.
std::string sheetText(std::string_view text);

/// What sheetText() was given.
std::string_view textOfSheet(std::string_view cell);

/// A field of a CSV line, quoted where it must be.
std::string csvField(std::string_view text);

/// sheetText() as a field of a CSV line.
std::string sheetField(std::string_view text);

} // namespace earwright
