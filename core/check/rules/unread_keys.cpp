#include "core/check/inferred_search.h"
#include "core/check/known_keys.h"
#include "core/check/misspelt.h"
#include "core/check/rules/rules.h"
#include "core/check/script_keys.h"
#include "core/settings/option_paths.h"
#include "core/settings/references.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <type_traits>
#include <unordered_set>

namespace earwright::check::rules {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

struct Section {
    std::string name; ///< "" at the top
    MissingNames missing;
};

void unread(const Context& context, const Section& section, const Entry& entry, Diagnostics& found)
{
    const std::string& key = entry.key->text;
    const std::string where = section.name.empty() ? "" : " below '" + section.name + "'";
    const std::string near = section.missing.misspelt(key);
    if (!near.empty()) {
        report(found, Severity::Warning, "unread-key",
            "nothing reads '" + key + "'" + where + "; did you mean '" + near
                + "', which is read and not given?",
            entry.key->span)
            .fix
            = settings::replaceScalar(*entry.key, context.request.fileName, near);
    } else if (!context.options.task.empty()) {
        report(found, Severity::Info, "unread-key",
            "nothing that Earwright knows reads '" + key + "'" + where, entry.key->span);
    }
}

/// With the value at which nothing differs there is nothing to tell.
bool isAtUsual(const Context& context, const ScriptKey& key)
{
    const NodePtr value = recipe::find(context.root, key.name);
    if (!value || recipe::isNull(*value))
        return true;
    const NodePtr usual = recipe::makeScalar(key.usual);
    return *key.usual != '\0' && recipe::asBool(*usual)
        && recipe::asBool(*value) == recipe::asBool(*usual);
}

void scriptKey(const Context& context, const Entry& entry, bool isReferred, Diagnostics& found)
{
    const ScriptKey* const key = findScriptKey(entry.key->text);
    if (!key || !key->told || context.options.task.empty() || isAtUsual(context, *key))
        return;
    if (!isReferred || *key->told == Severity::Error)
        report(found, *key->told, "unread-key",
            "'" + entry.key->text + "' is read by SpeechBrain and not by Earwright: " + key->why,
            entry.key->span);
}

/// What SpeechBrain's data loaders and samplers read and Earwright does not, where the run is
/// another for it.
struct Idle {
    std::string_view key;
    const char* instead;
};

constexpr Idle kIdleOfBatches[] = {
    { "looped_nominal_epoch", "an epoch is every utterance once" },
    { "sampler", "the order is that of 'sorting' and 'shuffle'" },
    { "batch_sampler", "batches are those of 'batch_size' or 'dynamic_batch_sampler'" },
    { "lengths_list", "lengths are the manifest's durations" },
    { "epoch", "the order is drawn by the run's own epochs" },
    { "max_batch_len_val", "validation batches are those of a 'dynamic_batch_sampler_valid'" },
    { "max_batch_length_val", "validation batches are those of a 'dynamic_batch_sampler_valid'" },
};

void idle(const Context& context, const Entry& entry, Diagnostics& found)
{
    const auto known = std::find_if(std::begin(kIdleOfBatches), std::end(kIdleOfBatches),
        [&](const Idle& one) { return one.key == entry.key->text; });
    if (known != std::end(kIdleOfBatches) && !context.options.task.empty())
        report(found, Severity::Warning, "unread-key",
            "'" + entry.key->text
                + "' is read by SpeechBrain and not by Earwright: " + known->instead,
            entry.key->span);
}

/// The value that SpeechBrain has without the key.
bool isUsual(const Context& context, const std::string& path, std::string_view key)
{
    const NodePtr value = recipe::findPath(context.root, path);
    return !value || recipe::isNull(*value) || (key == "epoch" && value->text == "0");
}

/// What FunASR reads below train_conf and Earwright does not, with the run option that says the
/// same: of a switch that is on, this value.
struct Renamed {
    std::string_view setting;
    const char* option;
    const char* switchedOn = "";
};

constexpr Renamed kOfTrainConf[] = {
    { "accum_grad", "grad_accumulation_factor" },
    { "avg_nbest_model", "avg_checkpoints" },
    { "grad_clip", "max_grad_norm" },
    { "max_epoch", "number_of_epochs" },
    { "use_bf16", "precision", "bf16" },
    { "use_fp16", "precision", "fp16" },
};

/// Whether the run has an option as this text says.
bool isSo(const Context& context, std::string_view option, const std::string& text)
{
    bool isSame = false;
    catalog::RunOptions options = context.options;
    options.visit([&](const char* name, const auto& value, const char*) {
        if (option != name)
            return;
        if constexpr (std::is_same_v<decltype(value), const std::string&>)
            isSame = value == text;
        else
            isSame = recipe::asDouble(*recipe::makeScalar(text)) == static_cast<double>(value);
    });
    return isSame;
}

void renamedSetting(const Context& context, const Entry& entry, Diagnostics& found)
{
    const std::string& key = entry.key->text;
    const NodePtr value = recipe::findPath(context.root, "train_conf." + key);
    const auto one = std::find_if(std::begin(kOfTrainConf), std::end(kOfTrainConf),
        [&](const Renamed& renamed) { return renamed.setting == key; });
    if (one == std::end(kOfTrainConf) || !value || settings::plainText(value).empty()
        || context.options.task.empty())
        return;
    const bool isSwitch = *one->switchedOn;
    const std::string wanted = isSwitch ? one->switchedOn : value->text;
    if ((isSwitch && recipe::asBool(*value) != true) || isSo(context, one->option, wanted))
        return;
    const std::string instead = std::string(one->option) + ": " + wanted;
    auto& diagnostic = report(found, Severity::Warning, "unread-key",
        "'" + key + "' is read by FunASR and not by Earwright, which reads '" + instead + "'",
        entry.key->span);
    if (settings::optionPath(context.root, one->option).empty()) // or the other would win over it
        diagnostic.fix = isSwitch
            ? settings::replaceEntry(entry, context.request.fileName, instead)
            : settings::replaceScalar(*entry.key, context.request.fileName, one->option);
}

/// An object that is built for what it does (`__set_seed: !apply:…`) is read by being there.
bool isReadByItself(const Entry& entry)
{
    return entry.key->text.starts_with("__") || !recipe::applyClass(*entry.value).empty();
}

/// Only what Earwright itself reads: scripts of others know so many names that a recipe's own key
/// (`languages`) is soon near one of them (`language`).
std::vector<std::string> namesReadAtTop()
{
    std::vector<std::string> names;
    for (const settings::KnownKey& key : knownKeys())
        if (key.reader.isOurs())
            names.emplace_back(key.name);
    catalog::RunOptions().visit(
        [&](const char* key, const auto&, const char*) { names.emplace_back(key); });
    return names;
}

/// Values with a second holder: an alias (`*defaults`), or `modules: {enc: …}` of the same object.
settings::NodeSet sharedNodes(const Node& parsed)
{
    settings::NodeSet seen;
    settings::NodeSet shared;
    const auto visit = [&](const auto& self, const NodePtr& node) -> void {
        if (!seen.insert(node.get()).second) {
            shared.insert(node.get());
            return;
        }
        for (const NodePtr& item : node->items)
            self(self, item);
        for (const Entry& entry : node->entries)
            self(self, entry.value);
    };
    for (const Entry& entry : parsed.entries)
        visit(visit, entry.value);
    return shared;
}

/// As isReferred() says of one key, once for all: targets and what they lie below.
std::unordered_set<std::string> referredKeys(const Node& parsed)
{
    std::unordered_set<std::string> keys;
    for (const settings::ReferenceUse& use : settings::referenceUses(parsed)) {
        keys.insert(use.target);
        for (size_t dot = use.target.find('.'); dot != std::string::npos;
             dot = use.target.find('.', dot + 1))
            keys.insert(use.target.substr(0, dot));
    }
    return keys;
}

void atTop(const Context& context, const Node& parsed, Diagnostics& found)
{
    const Section section { "", MissingNames(namesReadAtTop(), context.root) };
    const std::unordered_set<std::string> referred = referredKeys(parsed);
    const settings::NodeSet shared = sharedNodes(parsed);
    const Names ofSearch = inferredSearchKeys(context.root);
    for (const Entry& entry : parsed.entries) {
        if (contains(ofSearch, entry.key->text))
            continue;
        const bool isReferred = referred.contains(entry.key->text);
        scriptKey(context, entry, isReferred, found);
        const bool isKnown = readerOf(entry.key->text) != nullptr;
        const bool isMerged = entry.value->kind == recipe::Kind::Mapping
            && !entry.value->entries.empty()
            && shared.contains(entry.value->entries.front().value.get());
        if (!isKnown && !isMerged && !isReadByItself(entry) && !isReferred
            && !shared.contains(entry.value.get()))
            unread(context, section, entry, found);
    }
}

void inSections(const Context& context, const Node& parsed, Diagnostics& found)
{
    for (const Entry& entry : parsed.entries) {
        std::vector<std::string> known;
        std::vector<std::string> read;
        for (const settings::KnownKey& key : knownKeysOf(entry.key->text)) {
            known.emplace_back(key.name);
            if (key.reader.isOurs())
                read.emplace_back(key.name);
        }
        const bool isSearcher = entry.key->text == "test_beam_search"; // see taskArguments()
        if (known.empty() || isSearcher || !entry.value->tag.empty())
            continue;
        const Section section { entry.key->text, MissingNames(read, *entry.value) };
        for (const Entry& inner : entry.value->entries)
            if (std::find(known.begin(), known.end(), inner.key->text) == known.end())
                unread(context, section, inner, found);
            else if (section.name == "train_conf")
                renamedSetting(context, inner, found);
            else if (!isUsual(context, section.name + "." + inner.key->text, inner.key->text))
                idle(context, inner, found);
    }
}

} // namespace

void unreadKeys(const Context& context, Diagnostics& found)
{
    if (!context.written || context.written->kind != recipe::Kind::Mapping)
        return;
    atTop(context, *context.written, found);
    inSections(context, *context.written, found);
}

} // namespace earwright::check::rules
