#include "core/base/text.h"
#include "core/check/options.h"
#include "core/check/rules/rules.h"
#include "core/settings/references.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"

#include <algorithm>
#include <set>

namespace earwright::check::rules {

namespace {

bool has(const Names& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool reads(const tasks::Spec& spec, const std::string& key)
{
    return has(spec.ownKeys, key) || has(spec.ownOverrides, key)
        || std::any_of(spec.keys.begin(), spec.keys.end(),
            [&](const settings::KnownKey& known) { return key == known.name; });
}

/// The tasks that have the key in such a list of theirs.
Names tasksWith(const std::string& key, Names tasks::Spec::*list)
{
    Names names;
    for (const tasks::Spec& spec : tasks::specs())
        if (has(spec.*list, key))
            names.push_back(spec.name);
    return names;
}

/// "a, b and c"
std::string listed(const std::vector<std::string>& names)
{
    return names.size() < 3
        ? join(names, " and ")
        : join({ names.begin(), names.end() - 1 }, ", ") + " and " + names.back();
}

/// Where the recipe has the key and nothing refers to it: there it may be of use.
void tellUnread(const Context& context, const std::vector<settings::ReferenceUse>& uses,
    const std::string& key, const std::vector<std::string>& tasks, Diagnostics& found)
{
    const recipe::Entry* entry = settings::findEntry(context.root, key);
    if (!entry || recipe::isNull(*entry->value) || settings::isReferred(uses, key))
        return;
    report(found, recipe::Severity::Warning, "unread-key",
        "task " + inQuotes(context.options.task) + " does not read " + inQuotes(key)
            + (tasks.size() == 1 ? "; task " : "; tasks ") + listed(tasks)
            + (tasks.size() == 1 ? " does" : " do"),
        entry->key->span);
}

} // namespace

void otherTasks(const Context& context, Diagnostics& found)
{
    const tasks::Spec* own = tasks::find(context.options.task);
    if (!own || !context.written)
        return;
    const std::vector<settings::ReferenceUse> uses = settings::referenceUses(*context.written);
    for (const auto list : { &tasks::Spec::ownKeys, &tasks::Spec::ownOverrides }) {
        std::set<std::string> keys;
        for (const tasks::Spec& spec : tasks::specs())
            keys.insert((spec.*list).begin(), (spec.*list).end());
        for (const std::string& key : keys)
            if (!reads(*own, key)
                && (list == &tasks::Spec::ownKeys || isAsked(context.request, key)))
                tellUnread(context, uses, key, tasksWith(key, list), found);
    }
}

} // namespace earwright::check::rules
