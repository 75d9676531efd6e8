#include "core/base/text.h"
#include "core/check/layer_keys.h"
#include "core/check/rules/rules.h"
#include "core/check/tree.h"

#include <algorithm>

namespace kymo::check::rules {

using recipe::Entry;
using recipe::NodePtr;

namespace {

/// What the task runs, with all that lies below.
NodeSet runBy(const std::vector<std::string>& keys, const recipe::Node& root)
{
    const NodePtr modules = recipe::find(root, "modules");
    NodeSet all;
    for (const std::string& key : keys) {
        // Beside `enc` it is the ModuleList of what is trained.
        if (key == "model" && recipe::find(root, "enc"))
            continue;
        for (const NodePtr& node : { recipe::find(*modules, key), recipe::find(root, key) })
            all.merge(reachableFrom(node));
    }
    return all;
}

/// A list of layers that are run holds them for others. Numbers and classes may be shared by any.
bool isRun(const NodePtr& module, const NodeSet& run)
{
    const NodeSet below = reachableFrom(module);
    return std::any_of(below.begin(), below.end(), [&](const recipe::Node* node) {
        return !recipe::newClass(*node).empty() && run.contains(node);
    });
}

} // namespace

void unusedModules(const Context& context, Diagnostics& found)
{
    const std::string& task = context.options.task;
    const std::vector<std::string>& keys = layerKeys(task);
    const NodePtr modules = recipe::find(context.root, "modules");
    if (keys.empty() || !modules)
        return;
    const NodeSet run = runBy(keys, context.root);
    for (const Entry& entry : modules->entries) {
        const catalog::ClassInfo* info = catalog::findClass(className(*entry.value));
        if (!info || !info->trainable || isRun(entry.value, run))
            continue;
        report(found, recipe::Severity::Warning, "unused-module",
            "task " + inQuotes(task) + " runs no layer called " + inQuotes(entry.key->text)
                + ", which stays as it is drawn; it runs " + join(keys, ", "),
            entry.key->span);
    }
}

} // namespace kymo::check::rules
