#pragma once

#include "core/recipe/node.h"

#include <initializer_list>
#include <string>

namespace kymo::train {

/// What names of an input normalisation's statistics begin with in a checkpoint, whatever
/// `modules` calls it.
inline const std::string kNormalizeState = "normalize.";

/// The input normalisation, as upstream's recipes call it.
inline constexpr std::initializer_list<const char*> kNormalizers
    = { "normalize", "normalizer", "mean_var_norm" };

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
