#pragma once

#include "core/recipe/override.h"

#include <functional>

namespace earwright::recipe {

Entry* findEntry(Node& mapping, std::string_view key);

/// Makes a null, a placeholder or an object without arguments a mapping, in place: `!new:X` and
/// `!include:x.yaml` stay what they are. False where the node is something else.
bool becomeMapping(Node& node);

/// Sets the entries of `changes` in `mapping`: mapping into mapping is merged and keeps the tag it
/// had, anything else is replaced, keys that are new are added at the end.
void mergeInto(Node& mapping, const Node& changes);

/// Says of every node of a new value that it came from this override and stands at this place.
void stamp(Node& node, const Override& override, const Span& place);

/// Calls `change` with the items of a tuple written as a text, "(64, 32)", then writes the text
/// anew. False where the node is no such tuple; left alone where `change` says false or an item is
/// no plain value any more.
bool changeTuple(Node& tuple, const std::function<bool(Node& sequence)>& change);

} // namespace earwright::recipe
