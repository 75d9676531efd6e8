#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::recipe {

/// One character of a source text.
struct Point {
    uint32_t code = 0;
    size_t offset = 0; ///< in bytes
    size_t length = 0;
};

std::vector<Point> pointsOf(std::string_view text, size_t offset);

/// A character that is to go.
struct Suspect {
    size_t at = 0; ///< index of its point
    std::string instead; ///< "" or a space
};

/// Where a text stands in a recipe.
struct TextPlace {
    std::string key; ///< whose value it is, or an item of that
    bool isKey = false;
    bool isPlain = true; ///< neither in quotes nor a block
    bool isReference = false; ///< of !ref or !copy
};

/// Invisible characters and blanks outside ASCII that do not belong to what people say: those in
/// and around what is a number, a name, a path or a reference.
std::vector<Suspect> suspectsIn(const std::vector<Point>& points, const TextPlace& place);

/// Of one line of a text that does not parse: in its indentation, its key and its tag, and behind a
/// colon or a dash.
std::vector<Suspect> structuralSuspectsIn(const std::vector<Point>& line);

} // namespace earwright::recipe
