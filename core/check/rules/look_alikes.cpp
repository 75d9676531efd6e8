#include "core/base/look_alike.h"
#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/run_options.h"
#include "core/check/known_keys.h"
#include "core/check/rules/rules.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"

#include <unordered_map>

namespace earwright::check::rules {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;

namespace {

/// Keys that something reads, anywhere in a recipe, by their look.
class KnownLooks final {
public:
    KnownLooks()
    {
        for (const settings::KnownKey& key : knownKeys())
            add(key.name);
        for (const char* section :
            { "train_conf", "train_dataloader_opts", "dynamic_batch_sampler", "test_beam_search" })
            for (const settings::KnownKey& key : knownKeysOf(section))
                add(key.name);
        catalog::RunOptions().visit(
            [this](const char* key, const auto&, const char*) { add(key); });
    }
    void add(const std::string& name) { m_names.emplace(lookOf(name), name); }

    /// The name that a key outside ASCII looks like, "" for none.
    std::string named(const std::string& key) const
    {
        const auto found = m_names.find(lookOf(key));
        return found == m_names.end() ? "" : found->second;
    }

private:
    std::unordered_map<std::string, std::string> m_names;
};

void addArguments(const Node& object, KnownLooks& looks)
{
    if (const catalog::ClassInfo* info = catalog::findClass(catalog::classOf(object)))
        for (const catalog::Field& field : info->fields)
            looks.add(field.name);
}

void addKeysOf(const Node& mapping, KnownLooks& looks)
{
    for (const Entry& entry : mapping.entries)
        if (isAscii(entry.key->text))
            looks.add(entry.key->text);
}

void reportKey(const Context& context, const Node& mapping, const Node& key,
    const std::string& name, Diagnostics& found)
{
    auto& diagnostic = report(found, recipe::Severity::Error, "look-alike-key",
        lookAlikeIn(key.text, name) + " makes another key of what looks like " + inQuotes(name)
            + "; write that in ASCII",
        key.span);
    if (!recipe::find(mapping, name)) // else there would be two
        diagnostic.fix = settings::replaceScalar(key, context.request.fileName, name);
}

} // namespace

void lookAlikes(const Context& context, Diagnostics& found)
{
    std::optional<KnownLooks> known; // made where a key asks for it
    settings::NodeSet seen;
    const auto inMapping = [&](const Node& node) {
        std::optional<KnownLooks> here;
        for (const Entry& entry : node.entries) {
            if (entry.key->kind != recipe::Kind::Scalar || isAscii(entry.key->text))
                continue;
            if (!known)
                known.emplace();
            if (!here) {
                here = *known;
                addArguments(node, *here);
                // A table of the user's own may well have Latin and other letters.
                if (&node == &context.root || !catalog::classOf(node).empty())
                    addKeysOf(node, *here);
            }
            const std::string name = here->named(entry.key->text);
            if (!name.empty())
                reportKey(context, node, *entry.key, name, found);
        }
    };
    inMapping(context.root);
    for (const Entry& entry : context.root.entries)
        settings::walk(entry.value, [&](const NodePtr& node) {
            const bool isNew = seen.insert(node.get()).second;
            if (isNew)
                inMapping(*node);
            return isNew;
        });
}

} // namespace earwright::check::rules
