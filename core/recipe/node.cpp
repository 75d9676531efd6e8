#include "core/recipe/node.h"

#include "core/base/text.h"

#include <unordered_map>

namespace earwright::recipe {
namespace {

using Copies = std::unordered_map<const Node*, NodePtr>;

NodePtr copyTree(const Node& node, Copies& copies)
{
    if (const auto known = copies.find(&node); known != copies.end())
        return known->second;
    auto copy = std::make_shared<Node>(node);
    copies[&node] = copy;
    for (NodePtr& item : copy->items)
        item = copyTree(*item, copies);
    for (Entry& entry : copy->entries)
        entry = { copyTree(*entry.key, copies), copyTree(*entry.value, copies) };
    return copy;
}

std::string_view afterPrefix(std::string_view tag, std::string_view prefix)
{
    return tag.starts_with(prefix) ? tag.substr(prefix.size()) : std::string_view {};
}

} // namespace

NodePtr makeScalar(std::string text, Origin origin)
{
    auto node = std::make_shared<Node>();
    node->text = std::move(text);
    node->origin = origin;
    return node;
}

NodePtr deepCopy(const Node& node)
{
    Copies copies;
    return copyTree(node, copies);
}

NodePtr withoutHiddenKeys(const Node& root)
{
    auto visible = std::make_shared<Node>(root);
    std::erase_if(
        visible->entries, [](const Entry& entry) { return entry.key->text.starts_with("__"); });
    return visible;
}

NodePtr find(const Node& mapping, std::string_view key)
{
    for (const Entry& entry : mapping.entries) {
        if (entry.key->kind == Kind::Scalar && entry.key->text == key)
            return entry.value;
    }
    return nullptr;
}

NodePtr findPath(const Node& root, std::string_view dottedPath)
{
    NodePtr node;
    const Node* mapping = &root;
    for (const std::string& key : split(dottedPath, '.')) {
        node = mapping ? find(*mapping, key) : nullptr;
        mapping = node.get();
    }
    return node;
}

std::string_view newClass(const Node& node)
{
    return afterPrefix(node.tag, "!new:");
}
std::string_view nameClass(const Node& node)
{
    return afterPrefix(node.tag, "!name:");
}
std::string_view applyClass(const Node& node)
{
    return afterPrefix(node.tag, "!apply:");
}

} // namespace earwright::recipe
