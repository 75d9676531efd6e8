#pragma once

#include "core/recipe/arithmetic.h"
#include "core/recipe/node.h"

namespace earwright::recipe {

/// What Python's str() makes of a value: True, None, 1e-08, [1, 'a']. A tagged scalar is its text.
std::string pythonText(const Node& node);

/// The scalar node that reads as this value.
NodePtr nodeOf(const PythonValue& value);
/// The scalar that reads as this string, quoted where the plain text would read as something else
/// (but for a tuple: a join that makes "(1, 2)" is one).
NodePtr stringNode(std::string text);

} // namespace earwright::recipe
