#include "core/check/coverage.h"

#include "core/check/owners.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::check {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;

namespace {

/// A ModuleList at the top of the recipe and what it reaches.
struct ModuleList {
    std::string key;
    settings::NodeSet nodes;
    bool isMoved = false;
};

/// What the recipe says of its objects, each set by the objects' identity.
struct Sets {
    settings::NodeSet moved;
    settings::NodeSet saved;
    settings::NodeSet loaded;
    std::vector<ModuleList> lists;
    settings::NodeSet evaluated; ///< named by the key `evaluation_only`
    bool hasOptimizer = false;
};

void add(settings::NodeSet& set, const NodePtr& node)
{
    set.merge(settings::reachableFrom(node));
}

bool isOptimizer(const Node& node)
{
    const catalog::ClassInfo* info = catalog::findClass(catalog::classOf(node));
    return info && info->role == catalog::Role::Optimizer;
}

/// `evaluation_only: [lm_model]` or `[!ref <lm_model>]`; upstream keeps the list and reads it not.
settings::NodeSet evaluationOnly(const Node& root)
{
    const NodePtr list = recipe::find(root, "evaluation_only");
    settings::NodeSet set = settings::reachableFrom(list);
    for (const NodePtr& name : list ? list->items : std::vector<NodePtr>())
        add(set, recipe::find(root, settings::plainText(name)));
    return set;
}

Sets setsOf(const Node& root)
{
    Sets sets;
    add(sets.moved, recipe::find(root, "modules"));
    sets.evaluated = evaluationOnly(root);
    for (const Entry& entry : root.entries) {
        const Node& value = *entry.value;
        if (isOfClass(value, "Checkpointer") || entry.key->text == "checkpointer")
            add(sets.saved, recipe::find(value, "recoverables"));
        if (isOfClass(value, "Pretrainer") || entry.key->text == "pretrainer")
            add(sets.loaded, recipe::find(value, "loadables"));
        if (isModuleList(value))
            sets.lists.push_back({ entry.key->text, settings::reachableFrom(entry.value),
                sets.moved.contains(entry.value.get()) });
        sets.hasOptimizer = sets.hasOptimizer || isOptimizer(value);
    }
    return sets;
}

bool areIn(const OwnerRow& row, const settings::NodeSet& nodes)
{
    return std::all_of(row.owners.begin(), row.owners.end(),
        [&](const NodePtr& owner) { return nodes.contains(owner.get()); });
}

bool areListed(const OwnerRow& row, const std::vector<ModuleList>& lists)
{
    return std::all_of(row.owners.begin(), row.owners.end(), [&](const NodePtr& owner) {
        return std::any_of(lists.begin(), lists.end(),
            [&](const ModuleList& list) { return list.nodes.contains(owner.get()); });
    });
}

/// `freeze: True` of upstream's wrappers of pretrained models freezes all of it; `freeze_encoder`,
/// `freeze_feature_extractor` freeze a part, and the rest is trained.
bool isFrozen(const Node& object)
{
    for (const char* argument : { "freeze", "freeze_params" })
        if (const NodePtr value = recipe::find(object, argument))
            return recipe::asBool(*value).value_or(false);
    return false;
}

bool areFrozen(const OwnerRow& row)
{
    return std::all_of(row.owners.begin(), row.owners.end(),
        [](const NodePtr& owner) { return isFrozen(*owner); });
}

std::string waiverOf(const OwnerRow& row, const Sets& sets)
{
    if (areIn(row, sets.evaluated))
        return "'evaluation_only' names it";
    if (areFrozen(row))
        return "it is frozen";
    const bool isTrained
        = areIn(row, sets.saved) || (sets.hasOptimizer && areListed(row, sets.lists));
    if (areIn(row, sets.loaded) && !isTrained)
        return "it is loaded by a pretrainer and neither optimised nor checkpointed";
    return "";
}

std::string unmovedListWith(const OwnerRow& row, const std::vector<ModuleList>& lists)
{
    const auto list = std::find_if(lists.begin(), lists.end(),
        [&](const ModuleList& one) { return !one.isMoved && areIn(row, one.nodes); });
    return list == lists.end() ? "" : list->key;
}

Coverage coverageOfRow(const OwnerRow& row, const Sets& sets)
{
    const std::string_view owner = recipe::newClass(*row.owners.front());
    Coverage entry;
    entry.key = row.key;
    entry.className = catalog::lastPart(owner);
    entry.isKnown = catalog::findClass(owner) != nullptr;
    entry.node = row.value;
    entry.place = row.place;
    const catalog::ClassInfo* holder = catalog::findClass(recipe::newClass(*row.value));
    entry.isDecoder = holder && holder->role == catalog::Role::Decoder;
    entry.isMoved = areIn(row, sets.moved);
    entry.isCheckpointed = areIn(row, sets.saved);
    entry.isOptimised
        = sets.hasOptimizer && !areFrozen(row) && (entry.isMoved || areListed(row, sets.lists));
    entry.isWrapped = entry.isMoved && !areFrozen(row);
    entry.waiver = waiverOf(row, sets);
    entry.moduleList = unmovedListWith(row, sets.lists);
    return entry;
}

/// What `modules`, the ModuleLists and the checkpointers name.
std::vector<NodePtr> usedObjects(const Node& root)
{
    std::vector<NodePtr> used;
    const auto addAll = [&](const NodePtr& node) {
        settings::walk(node, [&](const NodePtr& below) {
            const bool isObject = !recipe::newClass(*below).empty() && below != node;
            if (isObject)
                used.push_back(below);
            return !isObject;
        });
    };
    addAll(recipe::find(root, "modules"));
    addAll(recipe::findPath(root, "checkpointer.recoverables"));
    for (const Entry& entry : root.entries)
        if (isModuleList(*entry.value))
            addAll(entry.value);
    return used;
}

} // namespace

std::vector<Coverage> coverageOf(const Node& root)
{
    const Sets sets = setsOf(root);
    std::vector<Coverage> coverage;
    for (const OwnerRow& row : ownerRows(root, usedObjects(root)))
        coverage.push_back(coverageOfRow(row, sets));
    return coverage;
}

std::string coverageTable(const std::vector<Coverage>& coverage)
{
    size_t width = 6;
    for (const Coverage& row : coverage)
        width = std::max(width, row.key.size());
    const auto padded = [](std::string text, size_t to) {
        return text.append(to - std::min(to, text.size()), ' ');
    };
    const auto mark = [&](bool fact) { return padded(fact ? "yes" : "no", 13); };
    std::string text = padded("object", width) + "  moved        optimised    checkpointed DDP\n";
    for (const Coverage& row : coverage) {
        text += padded(row.key, width) + "  " + mark(row.isMoved) + mark(row.isOptimised)
            + mark(row.isCheckpointed) + (row.isWrapped ? "yes" : "no")
            + (row.waiver.empty() ? "" : "  (" + row.waiver + ")") + "\n";
    }
    return text;
}

} // namespace earwright::check
