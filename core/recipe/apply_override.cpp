#include "core/recipe/apply_override.h"

#include "core/base/text.h"

#include <set>

namespace kymo::recipe {
namespace {

Entry* findEntry(Node& mapping, std::string_view key)
{
    for (Entry& entry : mapping.entries) {
        if (entry.key->kind == Kind::Scalar && entry.key->text == key)
            return &entry;
    }
    return nullptr;
}

std::vector<std::string> keysOf(const Node& mapping)
{
    std::vector<std::string> keys;
    for (const Entry& entry : mapping.entries)
        keys.push_back(entry.key->text);
    return keys;
}

/// "!new:X" without arguments, a null, a placeholder: they can become a mapping.
bool canBecomeMapping(const Node& node)
{
    return node.kind == Kind::Scalar && node.style == ScalarStyle::Plain
        && (isNull(node) || (node.text.empty() && node.tag.starts_with('!')));
}

/// The same node as an empty mapping; `!new:X` and `!include:x.yaml` stay what they are.
NodePtr asMapping(const Node& node)
{
    auto mapping = std::make_shared<Node>(node);
    mapping->kind = Kind::Mapping;
    mapping->text.clear();
    if (mapping->tag == "!PLACEHOLDER" || mapping->tag == "!!null")
        mapping->tag.clear();
    return mapping;
}

void setEntry(Node& mapping, const NodePtr& key, const NodePtr& value)
{
    Entry* const entry = findEntry(mapping, key->text);
    if (!entry) {
        mapping.entries.push_back({ key, value });
        return;
    }
    const bool isMerge = value->kind == Kind::Mapping && value->tag.empty();
    if (isMerge && canBecomeMapping(*entry->value))
        entry->value = asMapping(*entry->value);
    if (isMerge && entry->value->kind == Kind::Mapping)
        mergeInto(*entry->value, *value);
    else
        entry->value = value;
}

void stamp(Node& node, const Override& override, const Span& span, std::set<const Node*>& done)
{
    if (!done.insert(&node).second)
        return;
    node.origin = override.origin;
    node.originText = override.text;
    node.span = span;
    for (const NodePtr& item : node.items)
        stamp(*item, override, span, done);
    for (const Entry& entry : node.entries) {
        stamp(*entry.key, override, span, done);
        stamp(*entry.value, override, span, done);
    }
}

class Applier final {
public:
    Applier(Node& root, const Override& override, const std::string& fileName)
        : m_root(root)
        , m_override(override)
        , m_fileName(fileName)
        , m_path(override.path)
    {
        // A key may hold dots itself.
        if (findEntry(root, join(m_path, ".")))
            m_path = { join(m_path, ".") };
    }

    std::optional<Diagnostic> apply(const std::vector<std::string>& addableKeys)
    {
        const bool isAddable = m_override.origin == Origin::Option
            || std::find(addableKeys.begin(), addableKeys.end(), m_path[0]) != addableKeys.end();
        if (!findEntry(m_root, m_path[0]) && !isAddable)
            return unknownKey(addableKeys);
        Node* mapping = &m_root;
        for (size_t i = 0; i + 1 < m_path.size(); ++i) {
            mapping = step(*mapping, m_path[i]);
            if (!mapping)
                return notAMapping(i);
        }
        const Entry* const old = findEntry(*mapping, m_path.back());
        const NodePtr value = deepCopy(*m_override.value);
        stampAll(*value, old ? old->value->span : mapping->span);
        setEntry(*mapping, newKey(m_path.back(), mapping->span), value);
        return std::nullopt;
    }

private:
    void stampAll(Node& node, const Span& span) const
    {
        std::set<const Node*> done;
        stamp(node, m_override, span, done);
    }
    NodePtr newKey(const std::string& text, const Span& span) const
    {
        NodePtr key = makeScalar(text);
        stampAll(*key, span);
        return key;
    }
    /// The mapping behind a key, made where there is none; null where something else stands there.
    Node* step(Node& mapping, const std::string& key)
    {
        Entry* entry = findEntry(mapping, key);
        if (!entry) {
            Node empty;
            empty.kind = Kind::Mapping;
            auto added = std::make_shared<Node>(empty);
            stampAll(*added, mapping.span);
            mapping.entries.push_back({ newKey(key, mapping.span), added });
            return added.get();
        }
        if (canBecomeMapping(*entry->value))
            entry->value = asMapping(*entry->value);
        m_last = entry->value.get();
        return entry->value->kind == Kind::Mapping ? entry->value.get() : nullptr;
    }
    Diagnostic unknownKey(const std::vector<std::string>& addableKeys) const
    {
        std::vector<std::string> keys = keysOf(m_root);
        keys.insert(keys.end(), addableKeys.begin(), addableKeys.end());
        const std::string near = nearestName(m_path[0], keys);
        return { Severity::Error, "unknown-override",
            "'" + m_override.text + "': the recipe has no key '" + m_path[0] + "'"
                + (near.empty() ? "; check the spelling, or add the key to the recipe"
                                : "; did you mean '" + near + "'?"),
            { m_fileName, {}, {} }, std::nullopt };
    }
    Diagnostic notAMapping(size_t level) const
    {
        const std::vector<std::string> path(
            m_path.begin(), m_path.begin() + static_cast<std::ptrdiff_t>(level) + 1);
        const bool isReference = m_last->tag == "!ref" || m_last->tag == "!copy";
        return { Severity::Error, "unknown-override",
            "'" + m_override.text + "': '" + join(path, ".") + "' has no keys to set"
                + (isReference ? ", it refers to " + m_last->text + "; override that instead"
                               : "; override it as a whole"),
            m_last->span, std::nullopt };
    }

    Node& m_root;
    const Override& m_override;
    const std::string& m_fileName;
    std::vector<std::string> m_path;
    const Node* m_last = nullptr;
};

} // namespace

void mergeInto(Node& mapping, const Node& changes)
{
    for (const Entry& change : changes.entries)
        setEntry(mapping, change.key, change.value);
}

void applyOverrides(Node& root, const std::vector<Override>& overrides,
    const std::vector<std::string>& addableKeys, const std::string& fileName,
    std::vector<Diagnostic>& diagnostics)
{
    for (const Override& override : overrides) {
        if (auto problem = Applier(root, override, fileName).apply(addableKeys))
            diagnostics.push_back(std::move(*problem));
    }
}

} // namespace kymo::recipe
