#include "core/base/text.h"
#include "core/check/known_keys.h"
#include "core/check/references.h"
#include "core/check/rules/rules.h"
#include "core/check/text_fix.h"
#include "core/check/tree.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace kymo::check::rules {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

/// What may be meant by a key that nobody reads: the names that are read and are not given.
struct Section {
    std::string name; ///< "" at the top
    std::vector<std::string> missing;
};

/// Once for all keys of a section: a recipe may have thousands.
std::vector<std::string> notGiven(std::vector<std::string> names, const Node& section)
{
    std::unordered_set<std::string_view> given;
    for (const Entry& entry : section.entries)
        given.insert(entry.key->text);
    std::erase_if(names, [&](const std::string& name) { return given.contains(name); });
    return names;
}

/// Written differently only: numberOfEpochs, number-of-epochs.
std::string plain(const std::string& key)
{
    std::string letters;
    std::copy_if(key.begin(), key.end(), std::back_inserter(letters),
        [](char c) { return c != '_' && c != '-'; });
    return toLower(letters);
}

/// A misspelling is one letter off, in a long name two. Two known keys that near each other
/// (train_csv, train_tsv) cannot be confused: known keys are not looked at.
std::string misspelt(const std::string& key, const Section& section)
{
    const size_t most = key.size() < 5 ? 0 : key.size() < 16 ? 1 : 2;
    const size_t plainSize = plain(key).size();
    std::string nearest;
    size_t least = most + 1;
    for (const std::string& name : section.missing) {
        // Apart from signs that plain() leaves out, lengths are no further apart than the texts.
        const size_t apart
            = name.size() > key.size() ? name.size() - key.size() : key.size() - name.size();
        if (apart > most && plain(name).size() != plainSize)
            continue;
        const size_t distance = plain(name) == plain(key) ? 0 : editDistance(key, name);
        if (distance < least) {
            nearest = name;
            least = distance;
        }
    }
    return nearest;
}

void unread(const Context& context, const Section& section, const Entry& entry, Diagnostics& found)
{
    const std::string& key = entry.key->text;
    const std::string where = section.name.empty() ? "" : " below '" + section.name + "'";
    const std::string near = misspelt(key, section);
    if (!near.empty()) {
        report(found, Severity::Warning, "unread-key",
            "nothing reads '" + key + "'" + where + "; did you mean '" + near
                + "', which is read and not given?",
            entry.key->span)
            .fix
            = replaceScalar(*entry.key, context.request.fileName, near);
    } else if (!context.options.task.empty()) {
        report(found, Severity::Info, "unread-key",
            "nothing that Kymo knows reads '" + key + "'" + where, entry.key->span);
    }
}

/// An object that is built for what it does (`__set_seed: !apply:…`) is read by being there.
bool isReadByItself(const Entry& entry)
{
    return entry.key->text.starts_with("__") || !recipe::applyClass(*entry.value).empty();
}

/// Only what Kymo itself reads: scripts of others know so many names that a recipe's own key
/// (`languages`) is soon near one of them (`language`).
std::vector<std::string> namesReadAtTop()
{
    std::vector<std::string> names;
    for (const KnownKey& key : knownKeys())
        if (*key.reader)
            names.emplace_back(key.name);
    catalog::RunOptions().visit(
        [&](const char* key, const auto&, const char*) { names.emplace_back(key); });
    return names;
}

/// Values with a second holder: an alias (`*defaults`), or `modules: {enc: …}` of the same object.
NodeSet sharedNodes(const Node& parsed)
{
    NodeSet seen;
    NodeSet shared;
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
    for (const ReferenceUse& use : referenceUses(parsed)) {
        keys.insert(use.target);
        for (size_t dot = use.target.find('.'); dot != std::string::npos;
             dot = use.target.find('.', dot + 1))
            keys.insert(use.target.substr(0, dot));
    }
    return keys;
}

void atTop(const Context& context, const Node& parsed, Diagnostics& found)
{
    const Section section { "", notGiven(namesReadAtTop(), context.root) };
    const std::unordered_set<std::string> referred = referredKeys(parsed);
    const NodeSet shared = sharedNodes(parsed);
    for (const Entry& entry : parsed.entries) {
        const bool isKnown = readerOf(entry.key->text) != nullptr;
        const bool isMerged = entry.value->kind == recipe::Kind::Mapping
            && !entry.value->entries.empty()
            && shared.contains(entry.value->entries.front().value.get());
        if (!isKnown && !isMerged && !isReadByItself(entry) && !referred.contains(entry.key->text)
            && !shared.contains(entry.value.get()))
            unread(context, section, entry, found);
    }
}

void inSections(const Context& context, const Node& parsed, Diagnostics& found)
{
    for (const Entry& entry : parsed.entries) {
        std::vector<std::string> read;
        for (const KnownKey& key : knownKeysOf(entry.key->text))
            read.emplace_back(key.name);
        if (read.empty() || !entry.value->tag.empty())
            continue;
        const Section section { entry.key->text, notGiven(read, *entry.value) };
        for (const Entry& inner : entry.value->entries)
            if (std::find(read.begin(), read.end(), inner.key->text) == read.end())
                unread(context, section, inner, found);
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

} // namespace kymo::check::rules
