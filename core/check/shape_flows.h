#pragma once

#include "core/check/names.h"
#include "core/recipe/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace earwright::check {

/// Who feeds a layer, by the names that upstream's recipes and their training scripts give to the
/// layers of a model. A recipe names its objects; what runs after what is in the script.
struct Flow {
    Names layers;
    std::vector<Names> tiers; ///< the first one of which the recipe has somebody feeds the layer
    std::string argument; ///< what is fed; "" = the layer's input
};

const std::vector<Flow>& shapeFlows();

struct Source {
    std::string name;
    recipe::NodePtr layer;
};

/// The objects of the tier that feeds the layer; with more than one any of them may be meant. What
/// wraps the layer does not feed it, a ModuleList or a searcher is no layer.
std::vector<Source> sourcesOf(
    const Flow& flow, const recipe::NodePtr& layer, const recipe::Node& root);

} // namespace earwright::check
