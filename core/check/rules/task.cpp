#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/read.h"
#include "core/check/inferred_task.h"
#include "core/check/rules/rules.h"
#include "core/settings/augmentations.h"
#include "core/settings/layer_keys.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"

#include <algorithm>

namespace earwright::check::rules {

using recipe::NodePtr;
using recipe::Severity;

namespace {

recipe::Span placeOf(const recipe::Node& root)
{
    return root.entries.empty() ? root.span : root.entries.front().key->span;
}

void taskUnnamed(const Context& context, Diagnostics& found)
{
    Names fitting;
    for (const tasks::Likely& likely : tasks::likely(context.root))
        fitting.push_back(likely.task->name);
    report(found, Severity::Error, "task-unnamed",
        "the recipe does not say which training procedure it is for; add a key 'task' ("
            + (fitting.empty() ? "this version knows: " + join(tasks::names(), ", ")
                               : "it may be " + join(fitting, " or "))
            + ")",
        placeOf(context.root));
}

/// A fix makes it the recipe's own.
void taskInferred(
    const Context& context, const std::string& task, const std::string& reason, Diagnostics& found)
{
    auto& diagnostic = report(found, Severity::Info, "task-inferred",
        "this is trained as task " + inQuotes(task) + ", since " + reason
            + "; write 'task:' or --task=… to train it as another",
        placeOf(context.root));
    if (!context.written || !recipe::find(*context.written, "task")) // null
        diagnostic.fix
            = settings::addFirstLine(context.root, context.request.fileName, "task: " + task);
}

void taskUnknown(const Context& context, const recipe::Node& task, Diagnostics& found)
{
    auto& diagnostic = report(found, Severity::Error, "task-unknown",
        "unknown task '" + task.text + "'; this version knows: " + join(tasks::names(), ", "),
        task.span);
    const std::string nearest = nearestName(toLower(task.text), tasks::names());
    if (!nearest.empty())
        diagnostic.fix = settings::replaceScalar(task, context.request.fileName, nearest);
}

/// The first that is given, and not as null; null where none is. Layers as the task finds them.
const recipe::Entry* givenFor(
    const recipe::Node& root, const tasks::Spec& task, const tasks::Needed& needed)
{
    const Names& layers = task.layerKeys;
    for (const std::string& key : needed.keys) {
        const bool isOfLayer = std::find(layers.begin(), layers.end(), key) != layers.end();
        const recipe::Entry* entry
            = isOfLayer ? settings::findLayerEntry(root, key) : settings::findEntry(root, key);
        if (entry && !recipe::isNull(*entry->value))
            return entry;
    }
    return nullptr;
}

bool isThereOtherwise(const recipe::Node& root, const tasks::Needed& needed)
{
    return std::any_of(needed.otherwise.begin(), needed.otherwise.end(),
        [&](const std::string& layer) { return settings::findLayer(root, layer) != nullptr; });
}

/// Another function would be taken for one of these, and its arguments for that one's.
void otherLoss(const tasks::Spec& task, const tasks::Needed& needed, const recipe::Entry& given,
    Diagnostics& found)
{
    const catalog::ClassInfo* info = catalog::findClass(catalog::classOf(*given.value));
    const std::string name(info ? info->name : catalog::classOf(*given.value));
    const std::string module = "speechbrain.nnet.losses.";
    const auto isIt = [&](const std::string& function) { return name == module + function; };
    const bool isOther = std::find(needed.otherLosses.begin(), needed.otherLosses.end(), name)
        != needed.otherLosses.end();
    if (!catalog::isUndetermined(*given.value) && !isOther
        && std::none_of(needed.losses.begin(), needed.losses.end(), isIt))
        report(found, Severity::Error, "class-not-supported",
            "task " + inQuotes(task.name) + " needs " + module + join(needed.losses, " or ")
                + " as " + inQuotes(given.key->text) + ", not "
                + (name.empty() ? catalog::describe(*given.value) : name),
            given.value->span);
}

/// A loss for each utterance, or each token: upstream's training ends at its backward().
void lossWithoutReduction(const Context& context, const recipe::Node& loss, Diagnostics& found)
{
    const NodePtr reduction = recipe::find(loss, "reduction");
    const std::string given = settings::plainText(reduction);
    if ((given != "none" && given != "batch")
        || catalog::lastPart(catalog::classOf(loss)) == "ctc_k2") // its arguments' rule tells
        return;
    auto& diagnostic = report(found, Severity::Error, "argument-range",
        "'reduction' of " + catalog::lastPart(catalog::classOf(loss))
            + " must be batchmean or mean where it is the loss of a task, not " + given
            + ": one number is needed to train",
        reduction->span);
    diagnostic.fix = settings::replaceScalar(*reduction, context.request.fileName, "batchmean");
    if (const auto other = settings::replaceScalar(*reduction, context.request.fileName, "mean"))
        diagnostic.otherFixes.push_back(*other);
}

/// `told`: what is not said another time to be none that can be trained.
void neededKeys(
    const tasks::Spec& task, const Context& context, settings::NodeSet& told, Diagnostics& found)
{
    for (const tasks::Needed& needed : task.needed)
        if (const recipe::Entry* given = givenFor(context.root, task, needed);
            given && given->key->text == "model" && settings::isLayerList(*given->value))
            report(found, Severity::Error, "task-missing",
                "task " + inQuotes(task.name) + " needs " + needed.what
                    + ": 'model' is a list of layers, which runs none of them; call the encoder "
                    + inQuotes(needed.keys.front()),
                given->key->span);
        else if (!given && !isThereOtherwise(context.root, needed))
            report(found, Severity::Error, "task-missing",
                "task " + inQuotes(task.name) + " needs " + needed.what
                    + ": the recipe has no key '" + join(needed.keys, "' or '") + "'",
                placeOf(context.root));
        else if (given && !needed.losses.empty() && told.insert(given->value.get()).second) {
            otherLoss(task, needed, *given, found);
            lossWithoutReduction(context, *given->value, found);
        }
}

/// "; of its kind Earwright trains …", where that is a short list.
std::string trainableLike(const catalog::ClassInfo& info)
{
    constexpr size_t kMost = 6;
    std::vector<std::string> names;
    for (const std::string& name : catalog::trainableClassNames())
        if (catalog::findClass(name)->role == info.role)
            names.push_back(name);
    return names.empty() || names.size() > kMost ? ""
                                                 : "; of its kind it trains " + join(names, ", ");
}

/// What enable_augmentations switches off is not built.
void addSwitchedOff(const recipe::Node& augmenter, settings::NodeSet& left)
{
    const std::vector<NodePtr> enabled = settings::enabledParts(augmenter);
    const NodePtr all = recipe::find(augmenter, "augmentations");
    for (const NodePtr& part : all ? all->items : std::vector<NodePtr>())
        if (std::find(enabled.begin(), enabled.end(), part) == enabled.end())
            left.insert(part.get());
}

/// A class known by name alone can be checked for coverage, but there is nothing to build it with.
void unsupported(const NodePtr& value, settings::NodeSet& reported, Diagnostics& found)
{
    settings::NodeSet left;
    settings::walk(value, [&](const NodePtr& node) {
        if (left.contains(node.get()))
            return false;
        const catalog::ClassInfo* info = catalog::findClass(catalog::classOf(*node));
        if (info && info->name == "speechbrain.augment.augmenter.Augmenter")
            addSwitchedOff(*node, left);
        if (info && !info->trainable && reported.insert(node.get()).second)
            report(found, Severity::Error, "class-not-supported",
                "Earwright knows '" + std::string(catalog::classOf(*node))
                    + "' by name but cannot train it" + trainableLike(*info),
                node->span);
        return true;
    });
}

/// A number or a text where the task builds an object: nothing would be built of it.
void noObject(
    const recipe::Entry& entry, const char* wanted, settings::NodeSet& told, Diagnostics& found)
{
    const recipe::Node& value = *entry.value;
    if (catalog::isValue(value) && !recipe::isNull(value) && !catalog::isUndetermined(value)
        && told.insert(&value).second)
        report(found, Severity::Error, "argument-type",
            inQuotes(entry.key->text) + wanted + ", not " + catalog::describe(value), value.span);
}

constexpr const char* kNoLayer = " in 'modules' must be a layer";

/// What a run builds no layer of: anything but a layer, what the task runs beside them, and null,
/// which upstream's ModuleDict takes too. Of unknown classes others tell.
void noLayer(const recipe::Entry& entry, settings::NodeSet& told, Diagnostics& found)
{
    const recipe::Node& value = *entry.value;
    if (catalog::isValue(value))
        return noObject(entry, kNoLayer, told, found);
    const catalog::ClassInfo* info = catalog::findClass(catalog::classOf(value));
    const bool isObject = !recipe::newClass(value).empty() || !recipe::nameClass(value).empty();
    const bool isKnownNot
        = info && info->trainable && !settings::isLayer(*info) && !settings::isBesideLayers(value);
    if (!isObject || isKnownNot)
        report(found, Severity::Error, "argument-type",
            inQuotes(entry.key->text) + kNoLayer + ", not " + catalog::describe(value),
            entry.key->span);
}

void noLayers(const recipe::Entry& modules, settings::NodeSet& told, Diagnostics& found)
{
    const recipe::Node& value = *modules.value;
    if (recipe::isNull(value) || catalog::isUndetermined(value))
        return;
    if (value.kind != recipe::Kind::Mapping)
        report(found, Severity::Error, "argument-type",
            "'modules' must be a mapping of layers, such as {enc: !ref <enc>}, not "
                + catalog::describe(value),
            value.span);
    for (const recipe::Entry& entry : value.entries)
        noLayer(entry, told, found);
}

void noObjects(
    const tasks::Spec& task, const recipe::Node& root, settings::NodeSet& told, Diagnostics& found)
{
    for (const std::string& key : task.built)
        if (const recipe::Entry* entry = settings::findEntry(root, key);
            entry && key != "modules" && key != "tokenizer") // of WeNet's a word: char
            noObject(*entry, " must be an object (!new: or !name:)", told, found);
    if (const recipe::Entry* modules = settings::findEntry(root, "modules"))
        noLayers(*modules, told, found);
}

} // namespace

void task(const Context& context, Diagnostics& found)
{
    const NodePtr node = recipe::find(context.root, "task");
    if (!node || recipe::isNull(*node))
        return taskUnnamed(context, found);
    const tasks::Spec* const named = tasks::find(node->text);
    if (!named)
        return taskUnknown(context, *node, found);
    if (const std::string reason = inferenceReason(context.root); !reason.empty())
        taskInferred(context, named->name, reason, found);
    settings::NodeSet reported;
    neededKeys(*named, context, reported, found);
    for (const std::string& key : named->built)
        unsupported(recipe::find(context.root, key), reported, found);
    noObjects(*named, context.root, reported, found);
}

void ownRules(const Context& context, Diagnostics& found)
{
    const tasks::Spec* spec = tasks::find(context.options.task);
    const tasks::Checked recipe { context.root, context.request.text, context.request.fileName };
    for (const tasks::Rule rule : spec ? spec->rules : std::vector<tasks::Rule>())
        rule(recipe, found);
}

} // namespace earwright::check::rules
