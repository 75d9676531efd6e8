#pragma once

#include "core/data/manifest.h"
#include "core/data/text_encoder.h"
#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

/// A manifest that a recipe names.
struct NamedManifest {
    std::string name; ///< train | valid | test; of a list the file's own, as in "test-clean"
    std::string path;
};

/// Of "train", "valid" or "test": what the first of its keys names (settings::manifestKeys()). A
/// test may list several, which upstream's recipes test on in turn; one that is there twice counts
/// once.
std::vector<NamedManifest> manifestsOf(const recipe::Node& recipe, const std::string& split);

/// The augmentations that are switched on and draw from a manifest of noises or impulse responses,
/// their `csv_file`, in the midst of an epoch.
std::vector<recipe::NodePtr> soundObjects(const recipe::Node& recipe);

/// Looks at all that a resolved recipe's manifests list, as `earwright check` does before a run:
/// rules of doctor.h, and data-manifest (it cannot be read), data-duplicate-id, initial-weights
/// (the labels that they were trained for are no use here), option-conflict (the token_type)
/// (errors), data-same-utterance and data-same-speaker (warnings). As `init_param` it takes one
/// path of a folder or a file (train/weights/starting_recipe.h). A manifest that does not exist is
/// left to the check of the recipe.
std::vector<recipe::Diagnostic> inspectRecipe(const recipe::Node& recipe);

/// Speakers of the training set among the test set's, as one warning at the test manifest's head;
/// none where either names no speakers.
std::vector<recipe::Diagnostic> sharedSpeakers(const std::set<std::string>& train,
    const std::string& trainManifest, const std::set<std::string>& test,
    const std::string& testManifest);

} // namespace earwright::data
