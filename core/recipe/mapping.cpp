#include "core/recipe/tree.h"

#include <set>

namespace earwright::recipe {
namespace {

/// Keys are the same where they read as the same value: 1 and "1" are two keys.
using KeyId = std::pair<ScalarType, std::string>;

KeyId idOf(const Node& key)
{
    return { scalarType(key), key.text };
}

bool isMergeKey(const Node& key)
{
    return key.kind == Kind::Scalar && key.style == ScalarStyle::Plain && key.text == "<<";
}

/// The mappings a merge names: one, or a list of them, the first being the strongest.
std::vector<NodePtr> mergedMappings(const NodePtr& value)
{
    return value->kind == Kind::Sequence ? value->items : std::vector<NodePtr> { value };
}

Diagnostic errorAt(const Node& node, std::string rule, std::string message)
{
    return { Severity::Error, std::move(rule), std::move(message), node.span, std::nullopt };
}

class Merger final {
public:
    explicit Merger(std::vector<Diagnostic>& diagnostics)
        : m_diagnostics(diagnostics)
    {
    }

    void addOwn(const Entry& entry)
    {
        if (entry.key->kind == Kind::Scalar)
            m_taken.insert(idOf(*entry.key));
    }

    void merge(const NodePtr& value, std::vector<Entry>& into)
    {
        for (const NodePtr& mapping : mergedMappings(value)) {
            if (mapping->kind != Kind::Mapping) {
                m_diagnostics.push_back(errorAt(*mapping, "syntax",
                    "'<<' merges mappings only; name one by its alias, as in '<<: *defaults'"));
                continue;
            }
            for (const Entry& entry : mapping->entries) {
                if (entry.key->kind != Kind::Scalar || m_taken.insert(idOf(*entry.key)).second)
                    into.push_back(entry);
            }
        }
    }

private:
    std::vector<Diagnostic>& m_diagnostics;
    std::set<KeyId> m_taken;
};

void applyMerges(Node& mapping, std::vector<Diagnostic>& diagnostics)
{
    Merger merger(diagnostics);
    bool hasMerge = false;
    for (const Entry& entry : mapping.entries) {
        hasMerge = hasMerge || isMergeKey(*entry.key);
        merger.addOwn(entry);
    }
    if (!hasMerge)
        return;
    // Upstream puts what is merged behind the mapping's own keys, wherever the "<<" stands.
    std::vector<Entry> own;
    std::vector<Entry> merged;
    for (const Entry& entry : mapping.entries) {
        if (isMergeKey(*entry.key))
            merger.merge(entry.value, merged);
        else
            own.push_back(entry);
    }
    own.insert(own.end(), merged.begin(), merged.end());
    mapping.entries = std::move(own);
}

void reportDuplicates(const Node& mapping, std::vector<Diagnostic>& diagnostics)
{
    std::map<KeyId, const Node*> seen;
    for (const Entry& entry : mapping.entries) {
        if (entry.key->kind != Kind::Scalar)
            continue;
        const auto [first, isNew] = seen.try_emplace(idOf(*entry.key), entry.key.get());
        if (isNew)
            continue;
        diagnostics.push_back(errorAt(*entry.key, "duplicate-key",
            "'" + entry.key->text + "' is given twice; the first is in line "
                + std::to_string(first->second->span.begin.line) + ", remove one of them"));
    }
}

} // namespace

void finishMapping(Node& mapping, std::vector<Diagnostic>& diagnostics)
{
    reportDuplicates(mapping, diagnostics);
    applyMerges(mapping, diagnostics);
}

} // namespace earwright::recipe
