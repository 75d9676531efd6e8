#include "core/recipe/extent.h"

namespace kymo::recipe {

Extent ExtentMeter::of(const NodePtr& node)
{
    if (node->kind == Kind::Scalar)
        return {};
    if (const auto known = m_known.find(node); known != m_known.end())
        return known->second;
    Extent extent;
    const auto add = [&](const Extent& child) {
        extent.nodes += child.nodes;
        extent.depth = std::max(extent.depth, child.depth);
    };
    for (const NodePtr& item : node->items)
        add(of(item));
    for (const Entry& entry : node->entries) {
        add(of(entry.key));
        add(of(entry.value));
    }
    ++extent.depth;
    m_known[node] = extent;
    return extent;
}

} // namespace kymo::recipe
