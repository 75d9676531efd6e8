#include "core/recipe/resolved_node.h"

#include <utility>

namespace earwright::recipe {

NodePtr unknownValue(const Node& at)
{
    auto node = std::make_shared<Node>();
    node->tag = "!PLACEHOLDER";
    return placedAt(node, at);
}

bool isUnknown(const Node& node)
{
    return node.tag == "!PLACEHOLDER";
}

NodePtr placedAt(NodePtr node, const Node& at)
{
    node->span = at.span;
    node->origin = at.origin;
    node->originText = at.originText;
    return node;
}

bool isUntaggedString(const Node& node)
{
    return node.kind == Kind::Scalar && node.tag.empty() && scalarType(node) == ScalarType::String;
}

} // namespace earwright::recipe
