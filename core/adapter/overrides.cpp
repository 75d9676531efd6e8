#include "core/adapter/overrides.h"

#include "core/adapter/train_options.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/recipe/override_hint.h"

#include <algorithm>

namespace earwright::adapter {

using recipe::Diagnostic;
using recipe::Entry;
using recipe::Node;
using recipe::Origin;
using recipe::Severity;

namespace {

constexpr const char* kTrainConf = "train_conf";
constexpr const char* kTrainer = "funasr.sections.Trainer";

std::vector<std::string> argumentsOf(const catalog::ClassInfo& info)
{
    std::vector<std::string> names;
    for (const catalog::Field& field : info.fields)
        names.push_back(field.name);
    return names;
}

bool isTrainers(Toolkit toolkit, const std::string& name)
{
    const catalog::ClassInfo* const trainer = catalog::findClass(kTrainer);
    return toolkit == Toolkit::FunAsr && trainer && contains(argumentsOf(*trainer), name);
}

/// At the key that may be meant, else at the section's name.
recipe::Span placeOf(const Entry& section, const std::string& meant)
{
    for (const Entry& entry : section.value->entries)
        if (entry.key->text == meant && entry.key->origin < Origin::Override)
            return entry.key->span;
    return section.key->text.ends_with("_conf") ? section.key->span : section.value->span;
}

/// A class that takes whatever it is given may read more than is known of it, as FunASR's newer
/// releases do: only what looks like another name is wrong for sure.
Diagnostic unknown(
    const Entry& section, const catalog::ClassInfo& info, const Entry& added, Toolkit toolkit)
{
    const std::string& name = added.key->text;
    const std::vector<std::string> names = argumentsOf(info);
    const std::string near = nearestName(name, names);
    const bool isElsewhere = near.empty() && info.name != kTrainer && isTrainers(toolkit, name);
    const bool isWrong = !info.ignoresOthers || !near.empty() || isElsewhere;
    return { isWrong ? Severity::Error : Severity::Warning,
        isWrong ? "unknown-override" : "unread-key",
        inQuotes(overrideOf(added)) + ": " + catalog::lastPart(info.name)
            + (!info.ignoresOthers ? " takes no "
                    : isWrong      ? " never reads "
                                   : " is not known to read ")
            + inQuotes(name)
            + (isElsewhere ? "; the trainer does: ++" + (kTrainConf + ("." + name)) + "=… sets it"
                           : recipe::suggestion(name, names)),
        placeOf(section, near), std::nullopt, {} };
}

Diagnostic misplaced(const Entry& entry)
{
    const std::string& name = entry.key->text;
    const std::string typed = overrideOf(entry);
    const std::string where = "FunASR reads " + inQuotes(name) + " below 'train_conf' only";
    if (typed.empty())
        return { Severity::Warning, "unread-key", where, entry.key->span, std::nullopt, {} };
    return { Severity::Error, "unknown-override",
        inQuotes(typed) + ": " + where + "; ++" + (kTrainConf + ("." + name)) + "=… sets it",
        { entry.key->span.file, {}, {} }, std::nullopt, {} };
}

} // namespace

std::string overrideOf(const Entry& entry)
{
    for (const Node* node : { entry.key.get(), entry.value.get() })
        if (node->origin >= Origin::Override)
            return node->originText;
    return "";
}

void refuseUnknown(const Entry& section, Toolkit toolkit, std::vector<Diagnostic>& diagnostics)
{
    const catalog::ClassInfo* const info = catalog::findClass(recipe::nameClass(*section.value));
    if (!info || info->acceptsAnyArgument)
        return;
    const std::vector<std::string> names = argumentsOf(*info);
    const auto isUnknown = [&](const Entry& entry) {
        return entry.key->origin >= Origin::Override && !contains(names, entry.key->text);
    };
    for (const Entry& entry : section.value->entries)
        if (isUnknown(entry))
            diagnostics.push_back(unknown(section, *info, entry, toolkit));
    std::erase_if(section.value->entries, isUnknown);
}

void refuseMisplaced(Node& root, Toolkit toolkit, std::vector<Diagnostic>& diagnostics)
{
    const auto isMisplaced = [&](const Entry& entry) {
        return isTrainers(toolkit, entry.key->text) && (runOptionOf(entry) || isSwitchedOff(entry));
    };
    for (const Entry& entry : root.entries)
        if (isMisplaced(entry))
            diagnostics.push_back(misplaced(entry));
    std::erase_if(root.entries, isMisplaced);
}

} // namespace earwright::adapter
