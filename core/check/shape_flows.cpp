#include "core/check/shape_flows.h"

#include "core/catalog/catalog.h"
#include "core/check/owners.h"
#include "core/settings/layer_keys.h"
#include "core/settings/tree.h"
#include "core/tasks/flows.h"

#include <algorithm>

namespace earwright::check {

using recipe::Node;
using recipe::NodePtr;

namespace {

/// Of two tasks the same flow is one.
std::vector<tasks::Flow> makeFlows()
{
    std::vector<tasks::Flow> flows;
    const auto add = [&flows](const std::vector<tasks::Flow>& more) {
        for (const tasks::Flow& flow : more)
            if (std::find(flows.begin(), flows.end(), flow) == flows.end())
                flows.push_back(flow);
    };
    for (const tasks::Spec& spec : tasks::specs())
        add(spec.flows);
    add(tasks::scriptFlows());
    return flows;
}

bool isLayerObject(const Node& node)
{
    const std::string_view name = catalog::classOf(node);
    const catalog::ClassInfo* info = catalog::findClass(name);
    const bool isOther = info
        && (info->role == catalog::Role::Decoder || info->role == catalog::Role::Utility
            || info->role == catalog::Role::Loss);
    return !name.empty() && !isModuleList(node) && !isOther;
}

} // namespace

const std::vector<tasks::Flow>& shapeFlows()
{
    static const std::vector<tasks::Flow> flows = makeFlows();
    return flows;
}

std::vector<Source> sourcesOf(const tasks::Flow& flow, const NodePtr& layer, const Node& root)
{
    std::vector<Source> sources;
    for (const Names& tier : flow.tiers) {
        for (const std::string& name : tier) {
            const NodePtr node = settings::findLayer(root, name);
            if (node && isLayerObject(*node)
                && settings::reachableFrom(node).count(layer.get()) == 0)
                sources.push_back({ name, node });
        }
        if (!sources.empty())
            break;
    }
    return sources;
}

} // namespace earwright::check
