#pragma once

#include "core/recipe/node.h"
#include "core/tasks/spec.h"

#include <string>
#include <string_view>
#include <vector>

namespace earwright::check {

/// Those of all tasks, and of layers that only upstream's scripts know.
const std::vector<tasks::Flow>& shapeFlows();

struct Source {
    std::string name;
    recipe::NodePtr layer;
};

/// The objects of the tier that feeds the layer; with more than one any of them may be meant. What
/// wraps the layer does not feed it, a ModuleList or a searcher is no layer.
std::vector<Source> sourcesOf(
    const tasks::Flow& flow, const recipe::NodePtr& layer, const recipe::Node& root);

} // namespace earwright::check
