#include "core/base/names.h"
#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/check/known_keys.h"
#include "core/check/rules/rules.h"
#include "core/settings/augmentations.h"
#include "core/settings/references.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"

#include <unordered_map>

namespace earwright::check::rules {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

constexpr std::string_view kAugmenter = "speechbrain.augment.augmenter.Augmenter";
constexpr std::string_view kOfWaves = "speechbrain.augment.time_domain.";
constexpr std::string_view kOfFeatures = "speechbrain.augment.freq_domain.";

/// Of an object that can be built, "" for any other.
std::string_view trainedClass(const Node& object)
{
    const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(object));
    return info && info->trainable ? std::string_view(info->name) : std::string_view();
}

bool isAugmenter(const Node& object)
{
    return trainedClass(object) == kAugmenter;
}

bool isAugmentation(const Node& object)
{
    const std::string_view name = trainedClass(object);
    return name == kAugmenter || name.starts_with(kOfWaves) || name.starts_with(kOfFeatures);
}

/// An Augmenter is what it applies first.
bool isOfFeatures(const Node& object)
{
    const std::vector<NodePtr> parts
        = isAugmenter(object) ? settings::enabledParts(object) : std::vector<NodePtr>();
    const Node& first = parts.empty() ? object : *parts.front();
    return trainedClass(first).starts_with(kOfFeatures);
}

/// The key by which the task runs augmentations of waves or features.
std::string runningKey(const Node& root, bool isOfFeatures)
{
    const NodePtr features = recipe::find(root, "fea_augment");
    const bool isNamedOtherwise
        = (!features || recipe::isNull(*features)) && recipe::find(root, "augmentation");
    if (!isOfFeatures)
        return "wav_augment";
    return isNamedOtherwise ? "augmentation" : "fea_augment";
}

/// Beside what the key that is run holds already.
std::string besideAnother(const Entry& entry, const Entry& running)
{
    const std::string runningKey = inQuotes(running.key->text);
    const std::string_view name = trainedClass(*entry.value);
    if (isAugmenter(*running.value))
        return isAugmenter(*entry.value)
            ? "list its augmentations among those of " + runningKey
            : "list it " + std::string(settings::isSpeedPerturb(*entry.value) ? "first " : "")
                + "among the augmentations of " + runningKey;
    if (name == trainedClass(*running.value))
        return "remove it, as " + runningKey + " is " + catalog::lastPart(name) + " already";
    if (isAugmenter(*entry.value))
        return "list " + runningKey + " among its augmentations and make it '" + running.key->text
            + ": !ref <" + entry.key->text + ">'";
    return "make " + runningKey + " an Augmenter that lists it and what stands there now";
}

/// Keys of the recipe whose augmentations nothing runs.
using Lone = std::vector<const Entry*>;

/// "an Augmenter that lists 'time_drop', 'freq_drop'", where several want the same free key.
std::string togetherWithOthers(const Context& context, const std::string& key, const Lone& all)
{
    Names names;
    for (const Entry* one : all)
        if (runningKey(context.root, isOfFeatures(*one->value)) == key)
            names.push_back(inQuotes(one->key->text));
    return names.size() < 2 ? "" : "an Augmenter that lists " + join(names, ", ");
}

/// A speed is meant to be heard; others may well be left over.
void loneAugmentation(
    const Context& context, const Entry& entry, const Lone& all, Diagnostics& found)
{
    if (entry.key->text == "speed_perturb")
        return; // readingSpeed()
    const std::string key = runningKey(context.root, isOfFeatures(*entry.value));
    const Entry* const running = settings::findEntry(context.root, key);
    const bool isFree = !running || recipe::isNull(*running->value);
    const std::string line = key + ": !ref <" + entry.key->text + ">";
    const std::string together = isFree ? togetherWithOthers(context, key, all) : "";
    std::string mend = isFree ? "write " + inQuotes(line) : besideAnother(entry, *running);
    if (!together.empty())
        mend = "make " + inQuotes(key) + " " + together;
    auto& diagnostic = report(found,
        settings::isSpeedPerturb(*entry.value) ? Severity::Error : Severity::Warning,
        "augmentation", "nothing runs " + inQuotes(entry.key->text) + "; " + mend, entry.key->span);
    if (!together.empty())
        return;
    if (!running && entry.key->origin == recipe::Origin::Recipe)
        diagnostic.fix = settings::addEntry(
            context.root, context.request.text, context.request.fileName, line);
    else if (isFree)
        diagnostic.fix = settings::replaceEntry(*running, context.request.fileName, line);
}

/// As written the recipe may run what an override takes out: that is meant.
void whatNothingRuns(const Context& context, Diagnostics& found)
{
    const std::vector<settings::ReferenceUse> uses = context.written
        ? settings::referenceUses(*context.written)
        : std::vector<settings::ReferenceUse>();
    std::unordered_map<const Node*, size_t> holders; ///< keys of the recipe that lead to it
    for (const Entry& entry : context.root.entries)
        for (const Node* node : settings::reachableFrom(entry.value))
            ++holders[node];
    Lone lone;
    for (const Entry& entry : context.root.entries) {
        const std::string& key = entry.key->text;
        const bool isRead
            = readerOf(key) || key.starts_with("__") || settings::isReferred(uses, key);
        if (!isRead && isAugmentation(*entry.value) && holders[entry.value.get()] < 2)
            lone.push_back(&entry);
    }
    for (const Entry* entry : lone)
        loneAugmentation(context, *entry, lone, found);
}

/// What upstream leaves out, and what it runs twice, is told.
void readingSpeed(const Context& context, Diagnostics& found)
{
    const Entry* const entry = settings::findEntry(context.root, "speed_perturb");
    const settings::ReadingSpeed speed = settings::speedWhileReading(context.root);
    if (!entry || speed.why.empty())
        return;
    if (!speed.perturb)
        report(found, Severity::Warning, "augmentation",
            "'speed_perturb' is not applied: " + speed.why
                + "; set do_speed_perturb: True to apply it",
            entry->key->span);
    else
        report(found, Severity::Info, "augmentation",
            "'speed_perturb' changes the speed of every utterance of the training set: "
                + speed.why,
            entry->key->span);
}

} // namespace

void loneAugmentations(const Context& context, Diagnostics& found)
{
    whatNothingRuns(context, found);
    readingSpeed(context, found);
}

} // namespace earwright::check::rules
