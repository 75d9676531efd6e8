#include "core/check/owners.h"

#include "core/settings/layer_keys.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::check {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;

namespace {

bool isContainer(const Node& node)
{
    const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(node));
    return info && info->role == catalog::Role::Container && !isModuleList(node);
}

std::vector<NodePtr> ownersBelow(const NodePtr& value)
{
    std::vector<NodePtr> owners;
    settings::walk(value, [&](const NodePtr& node) {
        const bool owns = settings::ownsParameters(*node);
        if (owns)
            owners.push_back(node);
        return !owns;
    });
    return owners;
}

/// What only names the objects of others.
bool isBookkeeping(const Entry& entry)
{
    return entry.key->text == "modules" || entry.key->text == "evaluation_only"
        || isOfClass(*entry.value, "Checkpointer") || isOfClass(*entry.value, "Pretrainer");
}

bool isPlainMapping(const Node& node)
{
    return node.kind == recipe::Kind::Mapping && node.tag.empty();
}

/// Keys of the recipe, and those of its plain mappings (`models: !include:models.yaml`).
std::vector<OwnerRow> allKeys(const Node& root)
{
    std::vector<OwnerRow> rows;
    for (const Entry& entry : root.entries) {
        if (isBookkeeping(entry))
            continue;
        if (!isPlainMapping(*entry.value)) {
            rows.push_back({ entry.key->text, entry.key->span, entry.value, {} });
            continue;
        }
        for (const Entry& inner : entry.value->entries)
            rows.push_back({ entry.key->text + "[" + inner.key->text + "]", inner.key->span,
                inner.value, {} });
    }
    return rows;
}

bool contains(const std::vector<NodePtr>& nodes, const NodePtr& node)
{
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

/// Two keys of one object (`a: !ref <b>`) are one row, named by the first key at the top.
void dropRepeated(const Node& root, std::vector<OwnerRow>& rows)
{
    settings::NodeSet atTop;
    for (const Entry& entry : root.entries)
        atTop.insert(entry.value.get());
    settings::NodeSet seen;
    std::erase_if(rows, [&](const OwnerRow& row) {
        const bool isInner = row.key.ends_with(']');
        return (isInner && atTop.contains(row.value.get())) || !seen.insert(row.value.get()).second;
    });
}

} // namespace

bool isModuleList(const Node& node)
{
    return isOfClass(node, "ModuleList");
}

bool isOfClass(const Node& node, const char* name)
{
    const std::string_view owner = recipe::newClass(node);
    return owner.substr(owner.rfind('.') + 1) == name;
}

std::vector<OwnerRow> ownerRows(const Node& root, const std::vector<NodePtr>& used)
{
    std::vector<OwnerRow> rows = allKeys(root);
    dropRepeated(root, rows);
    settings::NodeSet keyed;
    for (const OwnerRow& row : rows)
        keyed.insert(row.value.get());
    settings::NodeSet wrapped;
    for (OwnerRow& row : rows) {
        row.owners = ownersBelow(row.value);
        const bool isWrapper
            = isContainer(*row.value) && row.owners.size() == 1 && row.owners.front() != row.value;
        if (isWrapper && contains(used, row.value))
            wrapped.insert(row.owners.front().get());
        else if (!settings::ownsParameters(*row.value))
            // Those with a key of their own have their own row.
            std::erase_if(
                row.owners, [&](const NodePtr& owner) { return keyed.contains(owner.get()); });
    }
    std::erase_if(rows, [&](const OwnerRow& row) {
        return row.owners.empty() || wrapped.contains(row.value.get());
    });
    return rows;
}

} // namespace earwright::check
