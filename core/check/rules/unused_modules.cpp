#include "core/base/text.h"
#include "core/check/rules/rules.h"
#include "core/settings/layer_keys.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"

#include <algorithm>
#include <set>

namespace earwright::check::rules {

using recipe::Entry;
using recipe::NodePtr;

namespace {

/// Of the recipe itself: what a task runs beside its layers.
constexpr const char* kBesideLayers[] = { "wav_augment", "fea_augment", "augmentation" };

/// Of all tasks.
Names searchKeys()
{
    std::set<std::string> keys;
    for (const tasks::Spec& spec : tasks::specs())
        keys.insert(spec.searchKeys.begin(), spec.searchKeys.end());
    return { keys.rbegin(), keys.rend() };
}

/// What the task runs, with all that lies below.
settings::NodeSet runBy(const std::vector<std::string>& keys, const recipe::Node& root)
{
    const NodePtr modules = recipe::find(root, "modules");
    settings::NodeSet all;
    for (const std::string& key : keys)
        for (const NodePtr& node : { recipe::find(*modules, key), recipe::find(root, key) })
            all.merge(settings::reachableFrom(node));
    Names beside = searchKeys();
    beside.insert(beside.end(), std::begin(kBesideLayers), std::end(kBesideLayers));
    for (const std::string& key : beside)
        all.merge(settings::reachableFrom(recipe::find(root, key)));
    return all;
}

/// A list of layers that are run holds them for others. Numbers and classes may be shared by any.
bool isRun(const NodePtr& module, const settings::NodeSet& run)
{
    const settings::NodeSet below = settings::reachableFrom(module);
    return std::any_of(below.begin(), below.end(), [&](const recipe::Node* node) {
        return !recipe::newClass(*node).empty() && run.contains(node);
    });
}

/// "; only ctc_attention searches so, by valid_search and test_search"
std::string searchingTasks()
{
    Names names;
    for (const tasks::Spec& spec : tasks::specs())
        if (!spec.searchKeys.empty())
            names.push_back(spec.name);
    return "; only " + join(names, " and ")
        + (names.size() == 1 ? " searches so, by " : " search so, by ")
        + join(searchKeys(), " and ");
}

std::string whyUnused(const catalog::ClassInfo& info, const std::vector<std::string>& keys)
{
    if (settings::isLayer(info))
        return ", which stays as it is drawn; it runs " + join(keys, ", ");
    return info.role == catalog::Role::Augmentation
        ? "; it takes augmentations from wav_augment and fea_augment"
        : searchingTasks();
}

} // namespace

void unusedModules(const Context& context, Diagnostics& found)
{
    const std::string& task = context.options.task;
    const std::vector<std::string> keys = tasks::layerKeys(task, context.root);
    const NodePtr modules = recipe::find(context.root, "modules");
    if (keys.empty() || !modules)
        return;
    const settings::NodeSet run = runBy(keys, context.root);
    for (const Entry& entry : modules->entries) {
        const catalog::ClassInfo* info = catalog::findClass(catalog::classOf(*entry.value));
        if (!info || !info->trainable
            || (!settings::isLayer(*info) && !settings::isBesideLayers(*entry.value))
            || isRun(entry.value, run))
            continue;
        report(found, recipe::Severity::Warning, "unused-module",
            "task " + inQuotes(task)
                + (settings::isLayer(*info) ? " runs no layer called " : " does not run ")
                + inQuotes(entry.key->text) + whyUnused(*info, keys),
            entry.key->span);
    }
}

} // namespace earwright::check::rules
