#pragma once

#include "core/recipe/node.h"

namespace earwright::recipe {

/// A scalar as YAML text on one line, without its tag, that reads back as the same value and style
/// of string. `isFlow`: inside [] or {}, where commas and brackets must be quoted.
std::string scalarYaml(const Node& node, bool isFlow);

} // namespace earwright::recipe
