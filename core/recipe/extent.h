#pragma once

#include "core/recipe/node.h"

#include <unordered_map>

namespace earwright::recipe {

/// Size of a subtree with every use of a shared node counted: what a walk over it costs.
struct Extent {
    size_t nodes = 1;
    size_t depth = 0; ///< of containers
    size_t bytes = 0; ///< of texts and tags

    /// Adds a child.
    void add(const Extent& child);
};

/// Of a node without its children.
Extent extentOf(const Node& node);

/// Extents of trees without cycles, each shared node measured once.
class ExtentMeter final {
public:
    Extent of(const NodePtr& node);

private:
    /// Keeps its nodes alive, so that no address is used twice.
    std::unordered_map<NodePtr, Extent> m_known;
};

} // namespace earwright::recipe
