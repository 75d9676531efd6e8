#pragma once

#include "core/recipe/node.h"

namespace earwright::recipe {

/// "(…)" on one line, the text of an implicit tuple.
bool isTupleText(std::string_view text);

/// Turns an untagged scalar "(64, 32)", quoted or not, or "!tuple (64, 32)" into a sequence tagged
/// "!tuple" that keeps its text, and "!!python/tuple [64, 32]" into the same without a text. The
/// style says how it was written: Quoted with the tag, Plain without. Leaves any other node alone,
/// also a block scalar.
void expandTuple(Node& node);

} // namespace earwright::recipe
