#include "core/recipe/override_applier.h"

#include "core/base/look_alike.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/recipe/override_hint.h"
#include "core/recipe/override_value.h"
#include "core/recipe/reference.h"

#include <algorithm>

namespace earwright::recipe {
namespace {

constexpr size_t kShownPlaces = 3;

using Path = std::vector<std::string>;

std::vector<std::string> keyTexts(const Node& mapping)
{
    std::vector<std::string> keys;
    for (const Entry& entry : mapping.entries)
        keys.push_back(entry.key->text);
    return keys;
}

bool contains(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<size_t> indexIn(const Node& sequence, const std::string& name)
{
    const auto index = parseNumber<size_t>(name);
    return index && *index < sequence.items.size() ? index : std::nullopt;
}

bool isMergeable(const Node& value)
{
    return value.kind == Kind::Mapping && value.tag.empty();
}

} // namespace

std::optional<Diagnostic> OverrideApplier::apply(const Path& path, const NodePtr& value)
{
    if (!path.empty())
        set(m_root, path, value);
    else if (m_root.kind == Kind::Mapping || becomeMapping(m_root))
        merge(m_root, value);
    else
        fail(fileText() + " has no keys to set", m_root.span);
    return std::move(m_problem);
}

bool OverrideApplier::set(Node& node, const Path& names, const NodePtr& value)
{
    if (node.kind == Kind::Mapping || (!m_path.empty() && becomeMapping(node)))
        return setInMapping(node, names, value);
    if (node.kind == Kind::Sequence)
        return setInSequence(node, names, value);
    const auto change = [&](Node& sequence) { return setInSequence(sequence, names, value); };
    if (changeTuple(node, change)) {
        m_placed.clear(); // it has become a part of the tuple's text
        return !m_problem;
    }
    return failWithoutKeys(node, names);
}

bool OverrideApplier::failWithoutKeys(const Node& node, const Path& names)
{
    auto container = containerBehind(node, m_root, m_options);
    if (!container)
        return fail(pathText() + " has no keys to set; override it as a whole", node.span);
    container->insert(container->end(), names.begin(), names.end());
    return fail(pathText() + " refers to " + node.text + "; write "
            + withPath(m_override, fullPath(*container)) + " instead",
        node.span);
}

bool OverrideApplier::setInMapping(Node& mapping, const Path& names, const NodePtr& value)
{
    // A key may hold dots itself: the longest that is there is meant.
    for (size_t count = names.size(); count > 0; --count) {
        const Path first(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count));
        Entry* const entry = findEntry(mapping, join(first, "."));
        if (!entry)
            continue;
        m_path.push_back(join(first, "."));
        return setSlot(entry->value,
            Path(names.begin() + static_cast<std::ptrdiff_t>(count), names.end()), value);
    }
    m_rest.assign(names.begin() + 1, names.end());
    return isAccepted(mapping, names[0]) && add(mapping, names, value);
}

bool OverrideApplier::setInSequence(Node& sequence, const Path& names, const NodePtr& value)
{
    const auto index = indexIn(sequence, names[0]);
    const std::string count = std::to_string(sequence.items.size());
    if (!index)
        return fail(pathText() + " is a list of " + count + ", '" + names[0]
                + "' is none of its items" + (sequence.items.empty() ? "" : "; the first is '0'"),
            sequence.span);
    m_path.push_back(names[0]);
    return setSlot(sequence.items[*index], Path(names.begin() + 1, names.end()), value);
}

bool OverrideApplier::setSlot(NodePtr& slot, const Path& rest, const NodePtr& value)
{
    const bool isMerge = rest.empty() && isMergeable(*value);
    if (isIncludeTag(slot->tag) && (isMerge || !rest.empty()))
        return wait(slot, rest, value);
    if (!rest.empty())
        return set(*slot, rest, value);
    if (isMerge && (slot->kind == Kind::Mapping || becomeMapping(*slot)))
        return merge(*slot, value);
    stamp(*value, m_override, slot->span);
    slot = value;
    m_placed.push_back(value);
    return true;
}

bool OverrideApplier::wait(const NodePtr& include, const Path& rest, const NodePtr& value)
{
    stamp(*value, m_override, include->span);
    m_waiting[include].push_back({ &m_override, fullPath(m_path), rest, value });
    m_placed.push_back(include);
    return true;
}

/// As upstream: each key is set by itself, the others stay.
bool OverrideApplier::merge(Node& mapping, const NodePtr& value)
{
    if (value->entries.empty() && !mapping.entries.empty())
        return fail("an empty mapping changes nothing of " + pathText()
                + ", whose keys stay; override those by name",
            mapping.span);
    const Path path = m_path;
    for (const Entry& change : value->entries) {
        m_path = path;
        if (!setInMapping(mapping, { change.key->text }, change.value))
            return false;
    }
    if (value->entries.empty())
        m_placed.push_back(nullptr);
    return true;
}

bool OverrideApplier::add(Node& mapping, const Path& names, const NodePtr& value)
{
    NodePtr key = makeScalar(names[0]);
    const Span place = placeIn(mapping);
    stamp(*key, m_override, place);
    NodePtr added = value;
    m_path.push_back(names[0]);
    if (names.size() > 1) {
        added = makeScalar("");
        becomeMapping(*added);
    } else {
        m_placed.push_back(value);
    }
    stamp(*added, m_override, place);
    mapping.entries.push_back({ key, added });
    return names.size() == 1 || set(*added, Path(names.begin() + 1, names.end()), value);
}

bool OverrideApplier::isAccepted(const Node& mapping, const std::string& name)
{
    if (name == "<<")
        return fail(
            "'<<' merges where a file is read; override the keys themselves", placeIn(mapping));
    if (m_path.empty() && isInRecipe())
        return isAcceptedAtTop(mapping, name);
    // What an override made has no rules yet, unless its name alone gives them.
    const Path path = fullPath(m_path);
    const bool isNew = mapping.origin >= Origin::Override && path.size() > 1;
    if (isNew)
        return true;
    auto accepted = m_options.acceptedKeys ? m_options.acceptedKeys(path, mapping, name)
                                           : std::optional<std::vector<std::string>>();
    if (!accepted && m_path.empty() && mapping.tag.empty())
        accepted.emplace(); // at the top of a file, as at that of the recipe
    if (!accepted || contains(*accepted, name))
        return true;
    return failUnknown(mapping, name, *accepted);
}

bool OverrideApplier::isAcceptedAtTop(const Node& root, const std::string& name)
{
    std::vector<std::string> names = m_options.addableKeys;
    if (m_override.origin == Origin::Option || contains(names, name))
        return true;
    const auto byPlus = m_options.acceptedKeys ? m_options.acceptedKeys({}, root, name)
                                               : std::optional<std::vector<std::string>>();
    const bool isByPlus = byPlus && contains(*byPlus, name);
    const bool mayAdd = m_override.text.starts_with("++"); // as of Hydra and FunASR
    // Beside a key of a section that one at the top would not be read.
    if (isByPlus && (mayAdd || placesOfKey(root, name, m_options).empty()))
        return mayAdd
            || fail("the recipe has no key '" + name + "', though it may have one; ++"
                    + join(m_override.path, ".") + "=… adds it",
                placeIn(root));
    if (byPlus && mayAdd)
        names.insert(names.end(), byPlus->begin(), byPlus->end());
    return failUnknown(root, name, std::move(names));
}

bool OverrideApplier::failUnknown(
    const Node& mapping, const std::string& name, std::vector<std::string> names)
{
    if (const auto places = placesOfKey(mapping, name, m_options); !places.empty())
        return fail((m_path.empty() && isInRecipe() ? "the recipe" : pathText()) + " has no key '"
                + name + "' itself; write " + hintAt(places, m_rest),
            placeIn(mapping));
    const std::vector<std::string> keys = keyTexts(mapping);
    // The recipe's own names come first: of two that are as near, they are likelier meant.
    names.insert(names.begin(), keys.begin(), keys.end());
    std::string near = nearestName(name, names);
    for (const std::string& known : names)
        near = lookAlikeIn(name, known).empty() ? near : known;
    Span place = placeIn(mapping);
    for (const Entry& entry : mapping.entries)
        place = entry.key->text == near ? entry.key->span : place;
    const std::vector<Path> takers = near.empty() ? takersOf(mapping, name) : std::vector<Path>();
    if (!takers.empty())
        return fail((m_path.empty() && isInRecipe() ? "the recipe" : pathText()) + " has no key '"
                + name + "'; what takes it is set by " + hintAt(takers, m_rest),
            place);
    if (m_path.empty() && isInRecipe())
        return fail("the recipe has no key '" + name + "'"
                + (near.empty() ? "; check the spelling, or add the key to the recipe"
                                : suggestion(name, { near })),
            place);
    const bool isClass = mapping.tag.find(':') != std::string::npos;
    const std::string className = mapping.tag.substr(mapping.tag.find(':') + 1);
    return fail((isClass ? className + " takes no '" : pathText() + " has no key '") + name + "'"
            + suggestion(name, names),
        place);
}

/// Sections and objects right below a mapping that would take the key, though they do not have it.
std::vector<OverrideApplier::Path> OverrideApplier::takersOf(
    const Node& mapping, const std::string& name) const
{
    std::vector<Path> takers;
    for (const Entry& entry : mapping.entries) {
        if (!m_options.acceptedKeys
            || (entry.value->kind != Kind::Mapping && newClass(*entry.value).empty()
                && nameClass(*entry.value).empty()))
            continue;
        Path path = fullPath(m_path);
        path.push_back(entry.key->text);
        const auto accepted = m_options.acceptedKeys(path, *entry.value, name);
        if (accepted && contains(*accepted, name))
            takers.push_back({ entry.key->text, name });
    }
    return takers;
}

std::string OverrideApplier::fileText() const
{
    return inQuotes(m_root.span.file);
}

std::string OverrideApplier::pathText() const
{
    if (!isInRecipe() && m_path.empty())
        return fileText();
    return inQuotes(join(m_path, ".")) + (isInRecipe() ? "" : " of " + fileText());
}

OverrideApplier::Path OverrideApplier::fullPath(const Path& below) const
{
    Path path = m_includedAt;
    path.insert(path.end(), below.begin(), below.end());
    return path;
}

Span OverrideApplier::placeIn(const Node& mapping) const
{
    return m_path.empty() && isInRecipe() ? Span { mapping.span.file, {}, {} } : mapping.span;
}

bool OverrideApplier::fail(std::string message, const Span& place)
{
    m_problem = Diagnostic { Severity::Error, "unknown-override",
        inQuotes(m_override.text) + ": " + std::move(message), place, std::nullopt };
    return false;
}

std::string OverrideApplier::hintAt(std::vector<Path> places, const Path& rest) const
{
    const size_t count = places.size();
    places.resize(std::min(count, kShownPlaces));
    std::vector<std::string> texts;
    for (const Path& place : places) {
        Path below = m_path;
        below.insert(below.end(), place.begin(), place.end());
        below.insert(below.end(), rest.begin(), rest.end());
        texts.push_back(withPath(m_override, fullPath(below)));
    }
    return join(texts, " or ")
        + (count > texts.size() ? "; " + std::to_string(count - texts.size()) + " more have it"
                                : "");
}

} // namespace earwright::recipe
