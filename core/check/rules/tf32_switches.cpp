#include "core/base/text.h"
#include "core/check/rules/rules.h"
#include "core/settings/option_paths.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::check::rules {

using recipe::Severity;

namespace {

/// What toolkits call the switch: Torch and SpeechBrain, FunASR, ESPnet. TF32 is a precision of its
/// own here, because whether it is on by default differs from one to the next.
constexpr const char* kSwitches[] = { "allow_tf32", "enable_tf32", "use_tf32" };

bool canMultiplyInTf32(const Context& context)
{
    return std::all_of(
        context.devices.begin(), context.devices.end(), [&](const std::string& device) {
            return device.starts_with("cuda")
                && context.machine.gpus[std::stoul(device.substr(5))].capabilityMajor >= 8;
        });
}

void switchedOn(const Context& context, const recipe::Entry& entry, Diagnostics& found)
{
    const std::string& precision = context.options.precision;
    const recipe::NodePtr given = settings::findOption(context.root, "precision");
    if (precision == "tf32")
        return;
    const std::string key = inQuotes(entry.key->text);
    if (precision != "fp32") {
        report(found, Severity::Info, "tf32-switch",
            key + " is not read: in " + precision + " hardly anything is multiplied in float32",
            entry.key->span);
        return;
    }
    auto& diagnostic = report(found, Severity::Warning, "tf32-switch",
        key
            + " is not read: fp32 multiplies in full float32; 'precision: tf32' is what it asks "
              "for",
        entry.key->span);
    if (!canMultiplyInTf32(context))
        return;
    const std::string& file = context.request.fileName;
    diagnostic.fix = given ? settings::replaceScalar(*given, file, "tf32")
                           : settings::replaceEntry(entry, file, "precision: tf32");
}

void switchedOff(const Context& context, const recipe::Entry& entry, Diagnostics& found)
{
    if (context.options.precision != "tf32")
        return;
    const recipe::NodePtr given = settings::findOption(context.root, "precision");
    report(found, Severity::Error, "tf32-switch",
        inQuotes(entry.key->text) + " is False, but 'precision' is tf32: one of them is not meant",
        entry.key->span)
        .fix
        = given ? settings::replaceScalar(*given, context.request.fileName, "fp32") : std::nullopt;
}

} // namespace

void tf32Switches(const Context& context, Diagnostics& found)
{
    for (const char* key : kSwitches) {
        const recipe::Entry* entry = settings::findEntry(context.root, key);
        const auto isOn = entry ? recipe::asBool(*entry->value) : std::nullopt;
        if (isOn)
            (*isOn ? switchedOn : switchedOff)(context, *entry, found);
    }
}

} // namespace earwright::check::rules
