#pragma once

#include "core/recipe/node.h"

#include <cstddef>
#include <string>
#include <unordered_map>

namespace earwright::recipe {

/// Where the nodes of a file's tree stand, by the way from its root.
class NodePlaces final {
public:
    /// Where a node was found first.
    struct Place {
        const Node* parent = nullptr;
        const Node* key = nullptr; ///< null for an item
        size_t index = 0; ///< of an item
        size_t order = 0; ///< in the order of the text
    };

    /// `keyPath`: where the file's tree hangs in the recipe's.
    explicit NodePlaces(std::string keyPath);

    /// False where the node has a place already.
    bool add(const Node& node, const Place& place);
    size_t size() const { return m_places.size(); }
    /// "a.b[2]"; cut where keys are absurdly long.
    std::string pathOf(const Node* node) const;
    /// Whether the node stands further down in the text than `at`.
    bool isAhead(const Node& node, const Node& at) const;

private:
    std::string m_keyPath;
    std::unordered_map<const Node*, Place> m_places;
};

} // namespace earwright::recipe
