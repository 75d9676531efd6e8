#include "core/check/options.h"
#include "core/settings/option_paths.h"
#include "core/settings/provenance.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"

namespace earwright::check {

using recipe::Node;
using recipe::Severity;

namespace {

struct Deprecated {
    const char* key;
    const char* precision;
};
constexpr Deprecated kDeprecated[]
    = { { "auto_mix_prec", "fp16" }, { "bfloat16_mix_prec", "bf16" } };

void reportDeprecated(const recipe::Entry& entry, const Deprecated& old, bool wins,
    const std::string& fileName, Diagnostics& found)
{
    const std::string setting = std::string("precision: ") + old.precision;
    auto& diagnostic = report(found, Severity::Warning, "deprecated-option",
        std::string("'") + old.key + "' is deprecated; "
            + (wins ? "it is read as '" + setting + "'"
                    : "it is ignored because 'precision' is given"),
        entry.key->span);
    if (wins)
        diagnostic.fix = settings::replaceEntry(entry, fileName, setting);
}

} // namespace

void readDeprecated(const Node& root, const std::string& fileName, Findings& findings)
{
    for (const Deprecated& old : kDeprecated) {
        const recipe::Entry* entry = settings::findEntry(root, old.key);
        if (!entry || recipe::isNull(*entry->value) || settings::isOpen(*entry->value))
            continue;
        const std::optional<bool> isOn = recipe::asBool(*entry->value);
        if (!isOn)
            report(findings.diagnostics, Severity::Error, "option-type",
                std::string("'") + old.key + "' must be True or False, not " + entry->value->text,
                entry->value->span);
        if (!isOn.value_or(false))
            continue;
        const bool wins = !settings::findOption(root, "precision");
        reportDeprecated(*entry, old, wins, fileName, findings.diagnostics);
        if (!wins)
            continue;
        findings.options.precision = old.precision;
        for (Provenance& provenance : findings.provenance)
            if (provenance.key == "precision")
                provenance = settings::provenanceOf(
                    "precision", old.precision, entry->value.get(), provenance.consumer);
    }
}

} // namespace earwright::check
