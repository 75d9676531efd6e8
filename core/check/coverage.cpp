#include "core/check/coverage.h"

#include "core/base/text.h"
#include "core/check/tree.h"

#include <algorithm>

namespace kymo::check {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;

namespace {

constexpr const char* kBookkeepingKeys[] = { "modules", "checkpointer", "pretrainer" };

struct Row {
    std::string key;
    NodePtr value;
    std::vector<NodePtr> owners; ///< objects with parameters of their own, outermost first
};

/// Of a class nobody knows it is safer to think that it has parameters.
bool ownsParameters(const Node& node)
{
    const auto name = recipe::newClass(node);
    if (name.empty())
        return false;
    const catalog::ClassInfo* info = catalog::findClass(name);
    return !info || info->ownsParameters;
}

bool isModuleList(const Node& node)
{
    return shortName(recipe::newClass(node)) == "ModuleList";
}

bool isContainer(const Node& node)
{
    const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(node));
    return info && info->role == catalog::Role::Container && !isModuleList(node);
}

std::vector<NodePtr> ownersBelow(const NodePtr& value)
{
    std::vector<NodePtr> owners;
    walk(value, [&](const NodePtr& node) {
        const bool owns = ownsParameters(*node);
        if (owns)
            owners.push_back(node);
        return !owns;
    });
    return owners;
}

/// EncoderWrapper(transformer: <Transformer>): to cover the wrapper is to cover what it wraps.
bool isWrapper(const Node& node, const std::vector<NodePtr>& owners)
{
    return isContainer(node) && owners.size() == 1;
}

std::vector<Row> rowsOf(const Node& root)
{
    NodeSet topLevel;
    for (const Entry& entry : root.entries)
        topLevel.insert(entry.value.get());
    std::vector<Row> rows;
    NodeSet wrapped;
    for (const Entry& entry : root.entries) {
        Row row { entry.key->text, entry.value, {} };
        if (std::find(std::begin(kBookkeepingKeys), std::end(kBookkeepingKeys), row.key)
            != std::end(kBookkeepingKeys))
            continue;
        row.owners = ownersBelow(entry.value);
        if (isWrapper(*entry.value, row.owners))
            wrapped.insert(row.owners.front().get());
        else if (!ownsParameters(
                     *entry.value)) // those with a key of their own have a row of their own
            std::erase_if(row.owners, [&](const NodePtr& o) { return topLevel.contains(o.get()); });
        if (!row.owners.empty())
            rows.push_back(std::move(row));
    }
    std::erase_if(rows, [&](const Row& row) { return wrapped.contains(row.value.get()); });
    return rows;
}

/// Two keys of one object (`a: !ref <b>`) are one row.
void dropRepeated(std::vector<Row>& rows)
{
    NodeSet seen;
    std::erase_if(rows, [&](const Row& row) { return !seen.insert(row.value.get()).second; });
}

std::string moduleListWith(const Node& root, const Row& row, const NodeSet& moved)
{
    for (const Entry& entry : root.entries)
        if (isModuleList(*entry.value) && !moved.contains(entry.value.get())
            && reachableFrom(entry.value).contains(row.owners.front().get()))
            return entry.key->text;
    return "";
}

bool areIn(const Row& row, const NodeSet& nodes)
{
    return std::all_of(row.owners.begin(), row.owners.end(),
        [&](const NodePtr& owner) { return nodes.contains(owner.get()); });
}

} // namespace

std::vector<Coverage> coverageOf(const Node& root)
{
    const NodeSet moved = reachableFrom(recipe::find(root, "modules"));
    const NodeSet saved = reachableFrom(recipe::findPath(root, "checkpointer.recoverables"));
    const NodeSet loaded = reachableFrom(recipe::findPath(root, "pretrainer.loadables"));
    std::vector<Row> rows = rowsOf(root);
    dropRepeated(rows);
    std::vector<Coverage> coverage;
    for (const Row& row : rows) {
        Coverage entry;
        entry.key = row.key;
        entry.className = shortName(recipe::newClass(*row.owners.front()));
        entry.isKnown = catalog::findClass(recipe::newClass(*row.owners.front())) != nullptr;
        entry.node = row.value;
        entry.isMoved = areIn(row, moved);
        entry.isCheckpointed = areIn(row, saved);
        entry.moduleList = moduleListWith(root, row, moved);
        entry.isEvaluationOnly = toLower(row.key).find("frozen") != std::string::npos
            || (areIn(row, loaded) && !entry.isCheckpointed);
        coverage.push_back(std::move(entry));
    }
    return coverage;
}

} // namespace kymo::check
