#pragma once

#include "core/catalog/catalog.h"
#include "core/recipe/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace kymo::check {

/// The names of a task's input normalisation; the first that is given counts.
inline const std::vector<std::string> kNormalizers { "normalize", "normalizer", "mean_var_norm" };

/// The keys, of a recipe or of its `modules`, whose layers a task runs; those that are names of one
/// thing stand in a row, the first of them by preference. None of a task that is not known.
const std::vector<std::string>& layerKeys(std::string_view task);
/// The same for a recipe: without `model` beside `enc`, or where that is the list of what is
/// trained.
std::vector<std::string> layerKeys(std::string_view task, const recipe::Node& recipe);

/// A torch.nn.ModuleList, which holds layers and runs none.
bool isLayerList(const recipe::Node& object);
/// Whether a layer is built of the class where `modules` lists an object of it.
bool isLayer(const catalog::ClassInfo& info);
/// An augmentation or a search: upstream's recipes may list it in `modules`, but a task runs it by
/// a key of the recipe's own, and no layer is built of it.
bool isBesideLayers(const recipe::Node& object);

} // namespace kymo::check
