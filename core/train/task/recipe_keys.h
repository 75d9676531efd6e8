#pragma once

#include "core/recipe/node.h"

#include <initializer_list>
#include <string>

namespace earwright::train {

/// What names of an input normalisation's statistics begin with in a checkpoint, whatever
/// `modules` calls it.
inline const std::string kNormalizeState = "normalize.";

/// The first of some names of one thing that the recipe uses, and not as null; null where it uses
/// none.
inline recipe::NodePtr firstKey(const recipe::Node& root, std::initializer_list<const char*> keys)
{
    for (const char* key : keys) {
        if (const recipe::NodePtr node = recipe::find(root, key); node && !recipe::isNull(*node))
            return node;
    }
    return nullptr;
}

} // namespace earwright::train
