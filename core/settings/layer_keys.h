#pragma once

#include "core/catalog/catalog.h"
#include "core/recipe/node.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::settings {

/// The names of a task's input normalisation; the first that is given counts.
inline constexpr std::initializer_list<const char*> kNormalizers
    = { "normalize", "normalizer", "mean_var_norm" };

/// The layer that a task runs under a key: that of `modules`, else the recipe's own. Null is none,
/// nor is what isBesideLayers() in `modules`. As train::ModuleSet finds it.
const recipe::Entry* findLayerEntry(const recipe::Node& recipe, std::string_view key);
recipe::NodePtr findLayer(const recipe::Node& recipe, std::string_view key);
/// Where it is written: "ctc_lin", "modules.ctc_lin" or, where `modules` refers to another key,
/// that one; "" where there is none.
std::string layerPath(const recipe::Node& recipe, std::string_view key);
/// The input normalisation that a task runs, of whatever class; null where there is none.
recipe::NodePtr inputNormalization(const recipe::Node& recipe);

/// A torch.nn.ModuleList, which holds layers and runs none.
bool isLayerList(const recipe::Node& object);
/// Whether a layer is built of the class where `modules` lists an object of it.
bool isLayer(const catalog::ClassInfo& info);
/// An augmentation or a search: upstream's recipes may list it in `modules`, but a task runs it by
/// a key of the recipe's own, and no layer is built of it.
bool isBesideLayers(const recipe::Node& object);
/// Has trainable parameters of its own. Of a class nobody knows it is safer to think so; a
/// container builds what it is given as `!name:` itself. Searches and augmentations have none but
/// those of what they are given.
bool ownsParameters(const recipe::Node& object);

} // namespace earwright::settings
