#pragma once

#include "core/language/follow.h"
#include "core/recipe/source.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::language {

enum class MentionKind { Key, Reference, Alias, Anchor };

/// A place of the text that names a key. Places are those of Document::treeText.
struct Mention {
    MentionKind kind = MentionKind::Key;
    recipe::Span span; ///< the name only
    std::string name;
    Target target; ///< for an alias and an anchor: the key whose value carries the anchor
    size_t anchor = 0; ///< aliases and their anchor have the same number, from 1
};

/// The mention under a place: a key, a name inside "<…>", "*alias", "&anchor".
std::optional<Mention> mentionAt(const Document& document, recipe::Position treePlace);

/// Every mention of the keys of the recipe, in the text's order.
std::vector<Mention> mentionsOf(const Document& document);

/// The names inside the "<…>" of a scalar and what each leads to.
void addReferences(const recipe::Node& scalar, const recipe::SourceText& source, Follower& follower,
    std::vector<Mention>& mentions);

/// "&name" and "*name" of a text: outside of its scalars and comments.
std::vector<Mention> anchorsOf(const Document& document, const recipe::SourceText& source);

} // namespace earwright::language
