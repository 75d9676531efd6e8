#pragma once

#include "core/recipe/node.h"

#include <string>

namespace earwright::recipe {

/// Where two trees differ first, as "models.enc: '3' instead of '4'"; "" where they are the same:
/// kinds, tags, keys and their order, scalars as values, and which containers and tagged scalars
/// are one object.
std::string firstDifference(const Node& actual, const Node& expected);

} // namespace earwright::recipe
