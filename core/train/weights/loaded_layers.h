#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"
#include "core/train/module_set.h"
#include "core/train/task/unmatched.h"

#include <filesystem>
#include <map>
#include <string>
#include <torch/types.h>
#include <vector>

namespace earwright::train {

/// Whether SpeechBrain's Pretrainer loads layers of the recipe's task (settings::loadedLayers()).
bool loadsLayers(const recipe::Node& recipe);
/// The files that it loads them from, in its order.
std::vector<std::filesystem::path> loadedFiles(const recipe::Node& recipe);

/// The weights of these files, on the CPU, under the names of `modules` (Checkpoint::model); none
/// where there are none. As upstream, weights may be missing or left over. Errors: a file that is
/// not named or cannot be read, one without any weight of its layer, an object that is no layer of
/// `modules` by itself.
Result<std::map<std::string, torch::Tensor>> readLoadedLayers(
    const recipe::Node& recipe, const ModuleSet& modules);

/// Without the missing weights of layers that no file is for: they are meant to be drawn.
Unmatched ofLoadedLayers(Unmatched unmatched, const recipe::Node& recipe);

} // namespace earwright::train
