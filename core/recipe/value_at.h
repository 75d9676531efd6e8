#pragma once

#include "core/recipe/node.h"

namespace earwright::recipe {

// The value at a dotted path from a mapping, as code reads it behind the check: the fallback where
// there is none or one of another kind, which the check has told.

int64_t intAt(const Node& root, std::string_view dottedPath, int64_t fallback);
double doubleAt(const Node& root, std::string_view dottedPath, double fallback);
bool boolAt(const Node& root, std::string_view dottedPath, bool fallback);
std::string textAt(const Node& root, std::string_view dottedPath); ///< "" for null too

} // namespace earwright::recipe
