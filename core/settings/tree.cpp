#include "core/settings/tree.h"

#include <vector>

namespace earwright::settings {

using recipe::Node;
using recipe::NodePtr;

void walk(const NodePtr& start, const std::function<bool(const NodePtr&)>& visit)
{
    NodeSet seen;
    std::vector<NodePtr> waiting;
    if (start)
        waiting.push_back(start);
    while (!waiting.empty()) {
        const NodePtr node = waiting.back();
        waiting.pop_back();
        if (!seen.insert(node.get()).second || !visit(node))
            continue;
        // Pushed backwards, so that the stack gives them in the file's order.
        for (auto entry = node->entries.rbegin(); entry != node->entries.rend(); ++entry)
            waiting.push_back(entry->value);
        for (auto item = node->items.rbegin(); item != node->items.rend(); ++item)
            waiting.push_back(*item);
    }
}

NodeSet reachableFrom(const NodePtr& node)
{
    NodeSet nodes;
    walk(node, [&](const NodePtr& visited) {
        nodes.insert(visited.get());
        return true;
    });
    return nodes;
}

const recipe::Entry* findEntry(const Node& mapping, std::string_view key)
{
    for (const recipe::Entry& entry : mapping.entries)
        if (entry.key->text == key)
            return &entry;
    return nullptr;
}

const recipe::Entry* givenEntry(const Node& mapping, std::string_view key)
{
    const recipe::Entry* entry = findEntry(mapping, key);
    return entry && !recipe::isNull(*entry->value) ? entry : nullptr;
}

bool isOpen(const Node& node)
{
    return node.tag == "!PLACEHOLDER" || node.tag == "!ref" || node.tag == "!copy"
        || node.text.find("!PLACEHOLDER") != std::string::npos;
}

std::string plainText(const NodePtr& node)
{
    const bool isPlain = node && node->kind == recipe::Kind::Scalar && node->tag.empty()
        && !recipe::isNull(*node) && !isOpen(*node);
    return isPlain ? node->text : "";
}

} // namespace earwright::settings
