#pragma once

#include "core/base/names.h"
#include "core/recipe/node.h"

#include <cstdint>
#include <optional>

namespace earwright::settings {

/// Names of one thing in upstream's recipes; the first that is given, and not as null, counts.
const Names& optimizerKeys();
const Names& scheduleKeys();

/// `SGD` after `stage_one_epochs`: it begins anew and at its own rate. The schedule goes on.
/// Source: recipes/AISHELL-1/ASR/transformer/train.py.
struct SecondStage {
    recipe::NodePtr optimizer; ///< a `!name:`
    int64_t afterEpochs = 0;
};

/// What a training of a resolved recipe is optimized by.
struct OptimizerSettings {
    recipe::NodePtr optimizer; ///< a `!name:`; null where there is none
    recipe::NodePtr schedule; ///< a `!new:`; null where the rate stays
    std::optional<SecondStage> second {};
};
OptimizerSettings optimizerSettings(const recipe::Node& recipe);

/// Null where the recipe gives none of the keys.
recipe::NodePtr firstOf(const recipe::Node& recipe, const Names& keys);

} // namespace earwright::settings
