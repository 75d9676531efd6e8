#include "core/base/text.h"
#include "core/check/rules/rules.h"
#include "core/settings/option_paths.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <cmath>

namespace earwright::check::rules {

using recipe::Entry;
using recipe::NodePtr;
using recipe::Severity;

namespace {

constexpr const char* kRule = "optim-param-groups";
constexpr const char* kFreezeRule = "freeze-param";

std::vector<std::string> keysOfModules(const Context& context)
{
    std::vector<std::string> keys;
    if (const NodePtr modules = recipe::find(context.root, "modules"))
        for (const Entry& entry : modules->entries)
            keys.push_back(entry.key->text);
    return keys;
}

/// Whether a parameter below `module` may begin with `start`, what a pattern has before its first
/// wildcard.
bool mayBegin(const std::string& module, const std::string& start)
{
    return start.starts_with(module + ".") || module.starts_with(start);
}

/// What lies below a module is known when it is built: the run compares the rest of the name.
void nameOf(const char* rule, const std::string& name, const recipe::Span& span,
    const std::vector<std::string>& modules, Diagnostics& found)
{
    const size_t wildcard = name.find_first_of("*?[");
    const std::string module = split(name, '.').front();
    const auto isMeant = [&](const std::string& key) {
        return wildcard == std::string::npos ? key == module
                                             : mayBegin(key, name.substr(0, wildcard));
    };
    if (modules.empty() || std::any_of(modules.begin(), modules.end(), isMeant))
        return;
    const std::string nearest = nearestName(module, modules);
    report(found, Severity::Error, rule,
        inQuotes(module) + " is no key of 'modules'"
            + (nearest.empty() ? "" : "; do you mean " + inQuotes(nearest) + "?"),
        span);
}

void settingsOf(const Entry& entry, Diagnostics& found)
{
    const NodePtr lr = recipe::find(*entry.value, "lr");
    const auto rate = lr ? recipe::asDouble(*lr) : std::nullopt;
    if (!rate || !std::isfinite(*rate) || *rate <= 0 || entry.value->entries.size() != 1)
        report(found, Severity::Error, kRule,
            inQuotes(entry.key->text)
                + " takes a learning rate above 0 and nothing else, such as {lr: 0.0001}",
            (lr ? *lr : *entry.value).span);
}

/// A group that freeze_param holds still as a whole, by its own name or by that of what it is in.
void frozenGroup(const Entry& entry, const std::string& freezeParam, Diagnostics& found)
{
    for (const std::string& part : split(freezeParam, ',')) {
        const std::string frozen(trim(part));
        if (!frozen.empty() && (entry.key->text + ".").starts_with(frozen + "."))
            report(found, Severity::Error, kRule,
                inQuotes(entry.key->text) + " cannot learn: freeze_param names " + inQuotes(frozen),
                entry.key->span);
    }
}

} // namespace

void parameterGroups(const Context& context, Diagnostics& found)
{
    const NodePtr groups = recipe::find(context.root, "optim_param_groups");
    if (!groups || recipe::isNull(*groups))
        return;
    if (groups->kind != recipe::Kind::Mapping) {
        report(found, Severity::Error, kRule,
            "'optim_param_groups' takes names with their rates, such as {encoder: {lr: 0.0001}}",
            groups->span);
        return;
    }
    const std::vector<std::string> modules = keysOfModules(context);
    for (const Entry& entry : groups->entries) {
        nameOf(kRule, entry.key->text, entry.key->span, modules, found);
        settingsOf(entry, found);
        frozenGroup(entry, context.options.freezeParam, found);
    }
}

void frozenParameters(const Context& context, Diagnostics& found)
{
    const NodePtr key = settings::findOption(context.root, "freeze_param");
    for (const std::string& part : split(key ? context.options.freezeParam : "", ',')) {
        const std::string name(trim(part));
        if (!name.empty())
            nameOf(kFreezeRule, name, key->span, keysOfModules(context), found);
    }
}

} // namespace earwright::check::rules
