#pragma once

#include "core/recipe/node.h"

#include <initializer_list>

namespace kymo::train {

/// The first of some names of one thing that the recipe uses; null where it uses none.
inline recipe::NodePtr firstKey(const recipe::Node& root, std::initializer_list<const char*> keys)
{
    for (const char* key : keys) {
        if (const recipe::NodePtr node = recipe::find(root, key))
            return node;
    }
    return nullptr;
}

} // namespace kymo::train
