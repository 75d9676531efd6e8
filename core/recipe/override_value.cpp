#include "core/recipe/override_value.h"

#include "core/base/text.h"
#include "core/recipe/scalar_text.h"
#include "core/recipe/tuple.h"

#include <set>

namespace earwright::recipe {
namespace {

bool isMapping(const Node& node)
{
    return node.kind == Kind::Mapping && node.tag.empty();
}

void stampAll(Node& node, const Override& override, const Span& place, std::set<const Node*>& done)
{
    if (!done.insert(&node).second)
        return;
    node.origin = override.origin;
    node.originText = override.text;
    node.span = place;
    for (const NodePtr& item : node.items)
        stampAll(*item, override, place, done);
    for (const Entry& entry : node.entries) {
        stampAll(*entry.key, override, place, done);
        stampAll(*entry.value, override, place, done);
    }
}

/// "(1, x)" of the items, none where one of them cannot stand in a tuple's text.
std::optional<std::string> tupleText(const Node& sequence)
{
    std::vector<std::string> parts;
    for (const NodePtr& item : sequence.items) {
        if (item->kind != Kind::Scalar || !item->tag.empty())
            return std::nullopt;
        parts.push_back(scalarYaml(*item, true));
    }
    return "(" + join(parts, ", ") + ")";
}

} // namespace

Entry* findEntry(Node& mapping, std::string_view key)
{
    for (Entry& entry : mapping.entries) {
        if (entry.key->kind == Kind::Scalar && entry.key->text == key)
            return &entry;
    }
    return nullptr;
}

bool becomeMapping(Node& node)
{
    const bool isOpen = node.kind == Kind::Scalar && node.style == ScalarStyle::Plain
        && (isNull(node) || (node.text.empty() && node.tag.starts_with('!')));
    if (!isOpen || node.tag == "!ref" || node.tag == "!copy" || node.tag.starts_with("!module:"))
        return false;
    node.kind = Kind::Mapping;
    node.text.clear();
    if (node.tag == "!PLACEHOLDER" || node.tag == "!!null")
        node.tag.clear();
    return true;
}

void mergeInto(Node& mapping, const Node& changes)
{
    for (const Entry& change : changes.entries) {
        Entry* const entry = findEntry(mapping, change.key->text);
        if (!entry)
            mapping.entries.push_back(change);
        else if (isMapping(*change.value)
            && (entry->value->kind == Kind::Mapping || becomeMapping(*entry->value)))
            mergeInto(*entry->value, *change.value);
        else
            entry->value = change.value;
    }
}

void stamp(Node& node, const Override& override, const Span& place)
{
    std::set<const Node*> done;
    stampAll(node, override, place, done);
}

bool changeTuple(Node& tuple, const std::function<bool(Node& sequence)>& change)
{
    Node sequence = tuple;
    expandTuple(sequence);
    if (tuple.kind != Kind::Scalar || sequence.kind != Kind::Sequence)
        return false;
    if (!change(sequence))
        return true;
    if (const auto text = tupleText(sequence))
        tuple.text = *text;
    else
        tuple = sequence;
    return true;
}

} // namespace earwright::recipe
