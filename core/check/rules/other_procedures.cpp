#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/check/augmentations.h"
#include "core/check/known_keys.h"
#include "core/check/rules/other_procedure.h"
#include "core/check/rules/rules.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"

#include <unordered_map>

namespace earwright::check::rules {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

/// What upstream trains by a script that Earwright has no task for; "" for any other object.
std::string procedureOf(const Node& object)
{
    const std::string name(catalog::lastPart(catalog::classOf(object)));
    if (name == "Transducer_joint" || name.starts_with("transducer_loss"))
        return "a transducer";
    if (name == "AttentionalRNNDecoder")
        return "an attention decoder of RNNs";
    return "";
}

void otherProcedureIn(const Context& context, Diagnostics& found)
{
    if (const Entry* entry = otherProcedure(context.root))
        report(found, Severity::Error, "class-not-supported",
            inQuotes(entry->key->text) + " belongs to " + procedureOf(*entry->value)
                + ", which Earwright does not train; it trains " + join(tasks::names(), ", "),
            entry->key->span);
}

/// Upstream's scripts with this key train on phones, by another column.
void phones(const Context& context, Diagnostics& found)
{
    if (const Entry* entry = settings::findEntry(context.root, "per_stats"))
        report(found, Severity::Error, "class-not-supported",
            "'per_stats' counts phones, on which Earwright does not train; remove it to train on "
            "the words of the manifests",
            entry->key->span);
}

/// Upstream's scripts run a SpeedPerturb from a key of its own (`speed_perturb`).
void loneSpeed(const Context& context, const Entry& entry, Diagnostics& found)
{
    const Entry* const augmenter = settings::findEntry(context.root, "wav_augment");
    auto& diagnostic = report(found, Severity::Error, "augmentation",
        "nothing runs " + inQuotes(entry.key->text) + "; "
            + (augmenter ? "list it first among the augmentations of 'wav_augment'"
                         : "write 'wav_augment: !ref <" + entry.key->text + ">'"),
        entry.key->span);
    if (!augmenter && entry.key->origin == recipe::Origin::Recipe)
        diagnostic.fix = settings::addEntry(context.root, context.request.text,
            context.request.fileName, "wav_augment: !ref <" + entry.key->text + ">");
}

void loneSpeeds(const Context& context, Diagnostics& found)
{
    std::unordered_map<const Node*, size_t> holders; ///< keys of the recipe that lead to it
    for (const Entry& entry : context.root.entries)
        for (const Node* node : settings::reachableFrom(entry.value))
            ++holders[node];
    for (const Entry& entry : context.root.entries) {
        const bool isRead = readerOf(entry.key->text) || entry.key->text.starts_with("__");
        if (!isRead && isSpeedPerturb(*entry.value) && holders[entry.value.get()] < 2)
            loneSpeed(context, entry, found);
    }
}

} // namespace

const Entry* otherProcedure(const Node& root)
{
    for (const Entry& entry : root.entries)
        if (!procedureOf(*entry.value).empty())
            return &entry;
    return nullptr;
}

void otherProcedures(const Context& context, Diagnostics& found)
{
    otherProcedureIn(context, found);
    phones(context, found);
    loneSpeeds(context, found);
}

} // namespace earwright::check::rules
