#pragma once

#include "core/language/document.h"

#include <string>
#include <string_view>
#include <vector>

namespace earwright::language {

/// A key as it stands in the recipe's own text.
struct WrittenKey {
    const recipe::Entry* entry = nullptr;
    const recipe::Node* mapping = nullptr; ///< that holds it
    const recipe::Node* resolved = nullptr; ///< its value after resolution; null = not known
    const recipe::Entry* included = nullptr; ///< in the body of an !include: the included file's
                                             ///< key that it sets
    bool isInInclude = false; ///< anywhere below the body of an !include
    int level = 0; ///< 0 = top level
    std::string path; ///< "enc.dropout", "model[0].dim"
};

/// Every key of the tree where it is written, in the text's order. What an alias or a merge repeats
/// is there once, at its anchor.
std::vector<WrittenKey> writtenKeys(const Document& document);

/// The keys around a place, outermost first, and the node that ends the way: a value, or the key
/// itself.
struct Trail {
    std::vector<WrittenKey> keys;
    const recipe::Node* leaf = nullptr; ///< innermost node around the place, null in between
    bool isOnKey = false; ///< the leaf is the last key's own
};
Trail trailAt(const Document& document, recipe::Position treePlace);

/// The key at a dotted path of the text (not of an included file), none where there is none.
std::optional<WrittenKey> keyAt(const Document& document, std::string_view path);

/// A value at a path of the text: of a key, or an item of a list.
struct WrittenValue {
    const recipe::Node* node = nullptr;
    const recipe::Node* parent = nullptr; ///< null for the recipe itself
    const recipe::Entry* entry = nullptr; ///< null for an item and for the recipe itself
    const recipe::Node* resolved = nullptr; ///< null = not known
};
/// "" is the recipe itself. Below an alias there is nothing: it is written elsewhere.
std::optional<WrittenValue> valueAt(const Document& document, std::string_view path);

/// The value is an alias ("*name"): it stands elsewhere.
bool isAlias(const recipe::Entry& entry);
/// The key came by a merge ("<<"): it stands elsewhere.
bool isInherited(const recipe::Node& mapping, const recipe::Entry& entry);

/// The name of a key without its quotes, anchor and tag.
recipe::Span nameSpan(const recipe::Node& key);

} // namespace earwright::language
