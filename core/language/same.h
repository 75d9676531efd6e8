#pragma once

#include "core/recipe/node.h"

#include <string>

namespace kymo::language {

/// A key that is called differently in two trees.
struct Renamed {
    std::string before;
    std::string after;
};

/// Whether two trees are equal in tags, texts, styles and order but for the keys of that name.
bool isSame(const recipe::Node& before, const recipe::Node& after, const Renamed& renamed = {});

} // namespace kymo::language
