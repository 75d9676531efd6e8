#pragma once

#include "core/catalog/field.h"
#include "core/recipe/diagnostic.h"

#include <vector>

namespace earwright::catalog {

/// What becomes of an argument that a signature does not name: Python refuses it, the class does
/// something with it, or takes it and never looks (**kwargs of which only some names are read).
enum class Others { Refused, Accepted, Ignored };

/// Reports what a node gives that a signature cannot take: unknown and missing arguments, values of
/// the wrong type where the type is documented and the value could be nothing else (a list for a
/// number, a word for a switch), values out of a known range or not among the known words. A number
/// for a string, 1 for True, null for anything may be meant.
void checkAgainst(const std::vector<Field>& fields, Others others, const recipe::Node& node,
    std::vector<recipe::Diagnostic>& diagnostics);

} // namespace earwright::catalog
