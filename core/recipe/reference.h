#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace earwright::recipe {

class SourceText;

/// "<a[b].c>": the keys a and b, then the attribute c of the object found there.
struct Reference {
    std::vector<std::string> keys;
    std::string attribute; ///< "" without one
};

Reference readReference(std::string_view bracketed);

/// A piece of a text: "<a>" or what stands between two such.
struct Piece {
    std::string text;
    bool isReference = false;
};

/// "x/<a>/<b>" in pieces. "<" without a ">" is plain text.
std::vector<Piece> splitReferences(std::string_view text);
bool hasReference(std::string_view text);

/// The tags resolution replaces by something else.
bool isReferenceTag(std::string_view tag); ///< "!ref", "!copy"
bool isIncludeTag(std::string_view tag); ///< "!include:…"
/// Of such a tag and a text; what is no text is reported.
bool isReference(const Node& node);
/// The file that an !include names, relative to the folder of the file that includes it.
std::string includedPath(const Node& node, const std::string& includingFile);

/// Edits that write `right` for the key `wrong` in every place of `node`'s source where "<…wrong…>"
/// stands.
std::vector<Edit> renameInSource(
    const Node& node, const SourceText& source, const std::string& wrong, const std::string& right);

} // namespace earwright::recipe
