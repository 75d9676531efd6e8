#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/source.h"

#include <string>
#include <vector>

namespace earwright::recipe {

// Characters that nobody sees and blanks outside ASCII, where they make another key, number, name,
// path or class of what is read: rule invisible-character. What people say is left as it is:
// labels, sentences, joiners between letters of the scripts that need them.

/// In keys and values of a tree, as written in its source. The tree is the value of `key`; "" where
/// it is a whole recipe.
std::vector<Diagnostic> invisibleIn(
    const Node& root, const std::string& key, const SourceText& source, const std::string& file);

/// In a text that does not parse: where they stand for indentation, in keys, tags and behind a
/// colon or dash.
std::vector<Diagnostic> invisibleInBroken(const SourceText& source, const std::string& file);

/// In a name given outside of a file, such as an override's: what is wrong; "" where nothing is.
std::string invisibleInName(std::string_view name);

} // namespace earwright::recipe
