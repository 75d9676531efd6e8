#pragma once

#include "core/recipe/node.h"
#include "core/recipe/source.h"
#include "core/recipe/tree.h"

#include <optional>
#include <string>
#include <string_view>

namespace earwright::recipe {

// What yaml-cpp's events leave out or say otherwise than the text does; tree.cpp asks.

/// A tag as written: "!!str" for "tag:yaml.org,2002:str"; "" for none.
std::string writtenTag(const std::string& tag);

/// Of the scalar whose first character, after tag and anchor, is at `content`.
ScalarStyle styleAt(std::string_view text, size_t content);

/// "~", "null" … at `at`, "" where none of them stands there: an empty value is reported at the
/// token that follows, which may be a key called "null".
std::string_view nullWord(std::string_view text, size_t at, bool awaitsKey);

/// The tag of a text that holds nothing else from `begin` on: it comes as a null without it. ""
/// where there is none.
std::string lostTag(std::string_view text, size_t begin, const Properties& properties);

/// Between `begin` and `end` stand the properties of a node: "!ref<a>" is taken for "!ref <a>".
std::optional<SyntaxError> gluedTag(
    std::string_view text, size_t begin, size_t end, const std::string& tag);

/// "\N" and "\_" come as Latin-1; everything else of a checked text is UTF-8.
std::string wholeEscapes(const std::string& value);

} // namespace earwright::recipe
