#include "core/language/written.h"

#include "core/base/text.h"
#include "core/recipe/reference.h"

#include <unordered_set>

namespace earwright::language {

using recipe::Entry;
using recipe::Kind;
using recipe::Node;
using recipe::NodePtr;
using recipe::Position;

namespace {

const Entry* entryUnder(const Node* mapping, std::string_view key)
{
    if (!mapping)
        return nullptr;
    for (const Entry& entry : mapping->entries)
        if (entry.key->kind == Kind::Scalar && entry.key->text == key)
            return &entry;
    return nullptr;
}

/// The way from a node as written to its children, with the same way through the resolved tree.
struct Step {
    const Node* node;
    const Node* resolved;
    std::string path;
    int level = 0;
    bool isInInclude = false;
};

Step itemOf(const Step& step, size_t index)
{
    const bool isKnown = step.resolved && index < step.resolved->items.size();
    return { step.node->items[index].get(), isKnown ? step.resolved->items[index].get() : nullptr,
        step.path + "[" + std::to_string(index) + "]", step.level, step.isInInclude };
}

/// `position` of the entry: recipes keep their order when they are resolved, so that the search is
/// rarely one.
WrittenKey keyOf(const Step& step, size_t position)
{
    const Entry& entry = step.node->entries[position];
    const Entry* same = nullptr;
    if (step.resolved && position < step.resolved->entries.size()
        && step.resolved->entries[position].key->text == entry.key->text)
        same = &step.resolved->entries[position];
    else
        same = entryUnder(step.resolved, entry.key->text);
    WrittenKey key;
    key.entry = &entry;
    key.mapping = step.node;
    key.resolved = same ? same->value.get() : nullptr;
    key.isInInclude = step.isInInclude || recipe::isIncludeTag(step.node->tag);
    key.level = step.level;
    if (same && key.isInInclude && same->key->origin == recipe::Origin::Include)
        key.included = same;
    key.path = step.path + (step.path.empty() ? "" : ".") + entry.key->text;
    return key;
}

Step below(const WrittenKey& key)
{
    return { key.entry->value.get(), key.resolved, key.path, key.level + 1, key.isInInclude };
}

Step rootOf(const Document& document)
{
    return { document.tree.get(), document.findings.recipe.get(), "", 0, false };
}

class Walker final {
public:
    void walk(const Step& step)
    {
        if (!m_seen.insert(step.node).second)
            return;
        for (size_t i = 0; i < step.node->items.size(); ++i)
            walk(itemOf(step, i));
        for (size_t i = 0; i < step.node->entries.size(); ++i) {
            if (isInherited(*step.node, step.node->entries[i]))
                continue;
            WrittenKey key = keyOf(step, i);
            const Step next = below(key);
            keys.push_back(std::move(key));
            if (!isAlias(*keys.back().entry))
                walk(next);
        }
    }

    std::vector<WrittenKey> keys;

private:
    std::unordered_set<const Node*> m_seen;
};

bool holds(const Node& node, Position place)
{
    return node.span.begin <= place && place <= node.span.end;
}

/// Goes one level down; false at the end of the way.
bool descend(Step& step, Position place, Trail& trail)
{
    for (size_t i = 0; i < step.node->items.size(); ++i) {
        if (!holds(*step.node->items[i], place))
            continue;
        step = itemOf(step, i);
        trail.leaf = step.node;
        return true;
    }
    for (size_t i = 0; i < step.node->entries.size(); ++i) {
        const Entry& entry = step.node->entries[i];
        const bool isOnKey = holds(*entry.key, place);
        const bool isOnValue = !isAlias(entry) && holds(*entry.value, place);
        const bool isBetween = entry.key->span.end <= place
            && place <= (isAlias(entry) ? entry.key->span.end : entry.value->span.end);
        if (isInherited(*step.node, entry) || (!isOnKey && !isOnValue && !isBetween))
            continue;
        trail.keys.push_back(keyOf(step, i));
        trail.isOnKey = isOnKey;
        trail.leaf = isOnKey ? entry.key.get() : isOnValue ? entry.value.get() : nullptr;
        step = below(trail.keys.back());
        return isOnValue && !isOnKey;
    }
    return false;
}

/// What a path leads to: the step before it and, where it ends at a key, that key.
struct Found {
    Step step;
    const Node* parent = nullptr;
    std::optional<WrittenKey> key;
};

std::optional<Found> search(const Found& from, std::string_view path);

std::optional<Found> searchItems(const Found& from, std::string_view path)
{
    for (size_t i = 0; i < from.step.node->items.size(); ++i) {
        const std::string index = "[" + std::to_string(i) + "]";
        if (path.starts_with(index))
            return search(
                { itemOf(from.step, i), from.step.node, std::nullopt }, path.substr(index.size()));
    }
    return std::nullopt;
}

/// A key may hold dots itself, so that each key the path begins with is tried.
std::optional<Found> search(const Found& from, std::string_view path)
{
    if (path.empty())
        return from;
    if (path.starts_with('['))
        return searchItems(from, path);
    if (path.starts_with('.'))
        path.remove_prefix(1);
    const Node& mapping = *from.step.node;
    for (size_t i = 0; i < mapping.entries.size(); ++i) {
        const Entry& entry = mapping.entries[i];
        if (!path.starts_with(entry.key->text) || isInherited(mapping, entry))
            continue;
        const std::string_view rest = path.substr(entry.key->text.size());
        if (!rest.empty() && ((rest[0] != '.' && rest[0] != '[') || isAlias(entry)))
            continue;
        const WrittenKey key = keyOf(from.step, i);
        if (auto deeper = search({ below(key), &mapping, key }, rest))
            return deeper;
    }
    return std::nullopt;
}

} // namespace

std::vector<WrittenKey> writtenKeys(const Document& document)
{
    Walker walker;
    if (document.tree)
        walker.walk(rootOf(document));
    return std::move(walker.keys);
}

Trail trailAt(const Document& document, Position treePlace)
{
    Trail trail;
    if (!document.tree)
        return trail;
    Step step = rootOf(document);
    while (descend(step, treePlace, trail)) { }
    return trail;
}

std::optional<WrittenKey> keyAt(const Document& document, std::string_view path)
{
    if (!document.tree)
        return std::nullopt;
    const auto found = search({ rootOf(document), nullptr, std::nullopt }, path);
    return found ? found->key : std::nullopt;
}

std::optional<WrittenValue> valueAt(const Document& document, std::string_view path)
{
    if (!document.tree)
        return std::nullopt;
    const auto found = search({ rootOf(document), nullptr, std::nullopt }, path);
    if (!found)
        return std::nullopt;
    return WrittenValue { found->step.node, found->parent, found->key ? found->key->entry : nullptr,
        found->step.resolved };
}

bool isAlias(const Entry& entry)
{
    return entry.value->span.begin < entry.key->span.end;
}

bool isInherited(const Node& mapping, const Entry& entry)
{
    return entry.key->span.begin < mapping.span.begin;
}

recipe::Span nameSpan(const Node& key)
{
    recipe::Span span = key.span;
    if (key.kind != Kind::Scalar || span.begin.line == 0)
        return span;
    span.end.column -= key.style == recipe::ScalarStyle::Quoted ? 1 : 0;
    const int length = static_cast<int>(codePointCount(key.text));
    span.begin = { span.end.line, std::max(1, span.end.column - length) };
    return span;
}

} // namespace earwright::language
