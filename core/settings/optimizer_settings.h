#pragma once

#include "core/base/names.h"
#include "core/recipe/node.h"

namespace earwright::settings {

/// Names of one thing in upstream's recipes; the first that is given, and not as null, counts.
const Names& optimizerKeys();
const Names& scheduleKeys();

/// What a training of a resolved recipe is optimized by.
struct OptimizerSettings {
    recipe::NodePtr optimizer; ///< a `!name:`; null where there is none
    recipe::NodePtr schedule; ///< a `!new:`; null where the rate stays
};
OptimizerSettings optimizerSettings(const recipe::Node& recipe);

/// Null where the recipe gives none of the keys.
recipe::NodePtr firstOf(const recipe::Node& recipe, const Names& keys);

} // namespace earwright::settings
