#pragma once

#include "core/base/names.h"
#include "core/recipe/node.h"

#include <filesystem>
#include <string>
#include <vector>

namespace earwright::settings {

/// The recipe's speechbrain.utils.parameter_transfer.Pretrainer; null where it has none.
recipe::NodePtr pretrainerOf(const recipe::Node& root);

/// A layer that the Pretrainer loads before a training begins.
struct LoadedLayer {
    std::string name; ///< of `loadables`
    recipe::NodePtr object; ///< a layer, a ModuleList of layers or the input normalisation
    std::filesystem::path path; ///< "" where `problem` says why, or the recipe leaves it open
    std::string problem; ///< why no file is named, and what to write
    recipe::Span place; ///< of the path or else of the name
};

/// Those of `loadables` that are, or list, layers under these keys; language models and tokenizers
/// are none. As upstream's script, nothing where `pt_model_path` is null. Whether a file is here is
/// not looked at.
std::vector<LoadedLayer> loadedLayers(const recipe::Node& root, const Names& layerKeys);

} // namespace earwright::settings
