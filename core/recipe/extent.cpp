#include "core/recipe/extent.h"

#include <algorithm>

namespace earwright::recipe {

void Extent::add(const Extent& child)
{
    nodes += child.nodes;
    depth = std::max(depth, child.depth);
    bytes += child.bytes;
}

Extent extentOf(const Node& node)
{
    return { 1, 0, node.text.size() + node.tag.size() };
}

Extent ExtentMeter::of(const NodePtr& node)
{
    if (node->kind == Kind::Scalar)
        return extentOf(*node);
    if (const auto known = m_known.find(node); known != m_known.end())
        return known->second;
    Extent extent = extentOf(*node);
    for (const NodePtr& item : node->items)
        extent.add(of(item));
    for (const Entry& entry : node->entries) {
        extent.add(of(entry.key));
        extent.add(of(entry.value));
    }
    ++extent.depth;
    m_known[node] = extent;
    return extent;
}

} // namespace earwright::recipe
