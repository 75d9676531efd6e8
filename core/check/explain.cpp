#include "core/check/explain.h"

#include "core/base/text.h"
#include "core/check/chain.h"
#include "core/check/known_keys.h"
#include "core/settings/option_paths.h"
#include "core/settings/provenance.h"
#include "core/settings/references.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <set>

namespace earwright::check {

using recipe::Node;
using recipe::NodePtr;

namespace {

const Provenance* findProvenance(const Findings& findings, const std::string& key)
{
    const auto found = std::find_if(findings.provenance.begin(), findings.provenance.end(),
        [&](const Provenance& entry) { return entry.key == key; });
    return found == findings.provenance.end() ? nullptr : &*found;
}

/// "modules[enc]" and "--modules.enc" as "modules.enc".
std::string plainPath(std::string key)
{
    key.erase(0, std::min(key.find_first_not_of('-'), key.size()));
    std::erase(key, ']');
    std::replace(key.begin(), key.end(), '[', '.');
    return key;
}

/// Explains one recipe: everything is made once and asked often.
class Explainer final {
public:
    Explainer(const Request& request, const Findings& findings)
        : m_findings(findings)
        , m_root(*findings.recipe)
        , m_written(request, findings.written)
        , m_uses(m_written.root() ? settings::referenceUses(*m_written.root())
                                  : std::vector<settings::ReferenceUse>())
    {
    }

    Explanation option(const Provenance& provenance) const
    {
        const std::string path
            = provenance.key == "devices" ? "device" : settings::optionPath(m_root, provenance.key);
        const bool isFromRecipe = provenance.source != "default" && !path.empty()
            && recipe::findPath(m_root, path) != nullptr;
        return { provenance, isFromRecipe ? m_written.chainOf(path) : std::vector<std::string>(),
            usesOf(path.empty() ? provenance.key : path) };
    }

    Explanation ofNode(const std::string& path, const Node& node) const
    {
        return { settings::provenanceOf(path, shortText(node), &node, consumerOf(path)),
            m_written.chainOf(path), usesOf(path) };
    }

    /// An argument that the recipe leaves to its class.
    Explanation ofDefault(const std::string& path, const catalog::Field& field) const
    {
        return { { path, field.defaultText, "default", "", consumerOf(path) }, {}, {} };
    }

    std::vector<Explanation> all()
    {
        std::vector<Explanation> explanations;
        for (const Provenance& provenance : m_findings.provenance) {
            m_optionPaths.insert(provenance.key == "devices"
                    ? "device"
                    : settings::optionPath(m_root, provenance.key));
            explanations.push_back(option(provenance));
        }
        for (const recipe::Entry& entry : m_root.entries)
            collect(entry.key->text, entry.value, explanations);
        return explanations;
    }

private:
    /// What shares its object with another key is told under the first of them, and named after it.
    void collect(const std::string& path, const NodePtr& node, std::vector<Explanation>& into)
    {
        if (m_optionPaths.contains(path))
            return;
        const bool isLeaf = node->kind != recipe::Kind::Mapping;
        const bool isNew = m_told.insert(node.get()).second;
        if (isLeaf || !isNew || !catalog::classOf(*node).empty())
            into.push_back(ofNode(path, *node));
        if (!isNew)
            return;
        for (const recipe::Entry& entry : node->entries)
            collect(path + "." + entry.key->text, entry.value, into);
        collectDefaults(path, *node, into);
    }

    void collectDefaults(
        const std::string& path, const Node& node, std::vector<Explanation>& into) const
    {
        const catalog::ClassInfo* info = catalog::findClass(catalog::classOf(node));
        const bool isByName = node.kind == recipe::Kind::Mapping || node.text.empty();
        if (!info || !isByName || node.kind == recipe::Kind::Sequence)
            return;
        for (const catalog::Field& field : info->fields)
            if (!recipe::find(node, field.name) && !field.facts.required)
                into.push_back(ofDefault(path + "." + field.name, field));
    }

    /// A section's own keys are read by themselves, or not; of another the whole is.
    static const char* readerBelow(const std::string& top, const std::string& path)
    {
        const std::string key = split(path.substr(top.size() + 1), '.').front();
        const std::vector<settings::KnownKey> known = knownKeysOf(top);
        const auto found = std::find_if(known.begin(), known.end(),
            [&](const settings::KnownKey& one) { return key == one.name; });
        if (known.empty())
            return readerOf(top);
        return found == known.end() ? nullptr : found->reader.name;
    }

    /// The class that takes the argument, who reads the key at the top, or nobody.
    std::string consumerOf(const std::string& path) const
    {
        std::string owner;
        NodePtr node;
        for (const std::string& key : split(path, '.')) {
            if (node && !catalog::classOf(*node).empty())
                owner = catalog::classOf(*node);
            node = node ? recipe::find(*node, key) : recipe::find(m_root, key);
            if (!node)
                break;
        }
        if (!owner.empty())
            return owner;
        const std::string top = path.substr(0, path.find('.'));
        const char* reader = path.size() > top.size() ? readerBelow(top, path) : readerOf(top);
        if (reader)
            return *reader ? reader : "SpeechBrain's train scripts";
        return settings::isReferred(m_uses, path) || settings::isReferred(m_uses, top)
            ? "the keys that refer to it"
            : "nothing known";
    }

    std::vector<std::string> usesOf(const std::string& path) const
    {
        std::vector<std::string> uses;
        for (const settings::ReferenceUse& use : m_uses)
            if (use.target == path)
                uses.push_back(provenancePlace(use) + ": " + use.path);
        return uses;
    }

    static std::string provenancePlace(const settings::ReferenceUse& use)
    {
        Node node;
        node.span = use.span;
        return settings::provenanceOf("", "", &node, "").place;
    }

    const Findings& m_findings;
    const Node& m_root;
    WrittenRecipe m_written;
    std::vector<settings::ReferenceUse> m_uses;
    std::set<std::string> m_optionPaths;
    settings::NodeSet m_told;
};

/// An argument that only the class knows: "opt_class.weight_decay".
const catalog::Field* fieldAt(const Node& root, const std::string& path)
{
    const size_t dot = path.rfind('.');
    const NodePtr object
        = dot == std::string::npos ? nullptr : recipe::findPath(root, path.substr(0, dot));
    const catalog::ClassInfo* info
        = object ? catalog::findClass(catalog::classOf(*object)) : nullptr;
    if (!info)
        return nullptr;
    for (const catalog::Field& field : info->fields)
        if (field.name == path.substr(dot + 1) && !field.facts.required)
            return &field;
    return nullptr;
}

Error unknownKey(Explainer& explainer, const Findings& findings, const std::string& key)
{
    std::vector<std::string> keys;
    for (const Explanation& known : explainer.all())
        keys.push_back(known.setting.key);
    for (const recipe::Entry& entry : findings.recipe->entries)
        keys.push_back(entry.key->text);
    const std::string near = nearestName(key, keys);
    return Error { "the recipe has no key '" + key + "', and no run option is called so"
        + (near.empty() ? "" : "; did you mean '" + near + "'?") };
}

} // namespace

std::vector<Explanation> explainAll(const Request& request, const Findings& findings)
{
    return findings.recipe ? Explainer(request, findings).all() : std::vector<Explanation>();
}

Result<Explanation> explain(
    const Request& request, const Findings& findings, const std::string& key)
{
    if (!findings.recipe)
        return Error { "the recipe cannot be read" };
    Explainer explainer(request, findings);
    const std::string path = plainPath(key);
    if (const Provenance* provenance = findProvenance(findings, path))
        return explainer.option(*provenance);
    const std::string last = path.substr(path.rfind('.') + 1);
    const Provenance* nested = findProvenance(findings, last);
    if (nested && settings::optionPath(*findings.recipe, last) == path)
        return explainer.option(*nested);
    if (const NodePtr node = recipe::findPath(*findings.recipe, path))
        return explainer.ofNode(path, *node);
    if (const catalog::Field* field = fieldAt(*findings.recipe, path))
        return explainer.ofDefault(path, *field);
    return unknownKey(explainer, findings, key);
}

} // namespace earwright::check
