#include "core/recipe/apply_override.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/recipe/override_value.h"
#include "core/recipe/reference.h"

#include <set>

namespace earwright::recipe {
namespace {

constexpr size_t kShownNames = 8;

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

/// Sets one override.
class Applier final {
public:
    Applier(const Override& override, const ResolveOptions& options)
        : m_override(override)
        , m_options(options)
    {
    }

    std::optional<Diagnostic> apply(Node& root)
    {
        const NodePtr value = deepCopy(*m_override.value);
        set(root, m_override.path, value);
        return std::move(m_problem);
    }
    const std::vector<NodePtr>& placed() const { return m_placed; }

private:
    /// False where it failed; the problem is kept.
    bool set(Node& node, const Path& names, const NodePtr& value);
    bool setInMapping(Node& mapping, const Path& names, const NodePtr& value);
    bool setInSequence(Node& sequence, const Path& names, const NodePtr& value);
    bool setSlot(NodePtr& slot, const Path& rest, const NodePtr& value);
    bool merge(Node& mapping, const NodePtr& value);
    bool add(Node& mapping, const Path& names, const NodePtr& value);
    bool isAccepted(const Node& mapping, const std::string& name);
    bool isAcceptedAtTop(const Node& root, const std::string& name);

    std::string pathText() const { return inQuotes(join(m_path, ".")); }
    bool fail(std::string message, const Span& place)
    {
        m_problem = Diagnostic { Severity::Error, "unknown-override",
            inQuotes(m_override.text) + ": " + std::move(message), place, std::nullopt };
        return false;
    }
    bool failUnknown(const Node& mapping, const std::string& name, std::vector<std::string> names);
    /// What the mapping lacks stands where it stands; at the top, in the file and nowhere in it.
    Span placeIn(const Node& mapping) const
    {
        return m_path.empty() ? Span { mapping.span.file, {}, {} } : mapping.span;
    }

    const Override& m_override;
    const ResolveOptions& m_options;
    Path m_path; ///< to the node looked at
    std::vector<NodePtr> m_placed;
    std::optional<Diagnostic> m_problem;
};

bool Applier::set(Node& node, const Path& names, const NodePtr& value)
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
    return fail(pathText() + " has no keys to set"
            + (isReferenceTag(node.tag) ? ", it refers to " + node.text + "; override that instead"
                                        : "; override it as a whole"),
        node.span);
}

bool Applier::setInMapping(Node& mapping, const Path& names, const NodePtr& value)
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
    return isAccepted(mapping, names[0]) && add(mapping, names, value);
}

bool Applier::setInSequence(Node& sequence, const Path& names, const NodePtr& value)
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

bool Applier::setSlot(NodePtr& slot, const Path& rest, const NodePtr& value)
{
    if (!rest.empty())
        return set(*slot, rest, value);
    const bool isMerge = value->kind == Kind::Mapping && value->tag.empty();
    if (isMerge && (slot->kind == Kind::Mapping || becomeMapping(*slot)))
        return merge(*slot, value);
    stamp(*value, m_override, slot->span);
    slot = value;
    m_placed.push_back(value);
    return true;
}

/// As upstream: each key is set by itself, the others stay.
bool Applier::merge(Node& mapping, const NodePtr& value)
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

bool Applier::add(Node& mapping, const Path& names, const NodePtr& value)
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

bool Applier::isAccepted(const Node& mapping, const std::string& name)
{
    if (name == "<<")
        return fail(
            "'<<' merges where a file is read; override the keys themselves", placeIn(mapping));
    if (m_path.empty())
        return isAcceptedAtTop(mapping, name);
    // Whether an included file has the key is seen when it is read. What an override made has no
    // rules yet, unless its name alone gives them.
    const bool isNew = mapping.origin >= Origin::Override && m_path.size() > 1;
    if (!m_options.acceptedKeys || isIncludeTag(mapping.tag) || isNew)
        return true;
    const auto accepted = m_options.acceptedKeys(m_path, mapping, name);
    if (!accepted || contains(*accepted, name))
        return true;
    return failUnknown(mapping, name, *accepted);
}

bool Applier::isAcceptedAtTop(const Node& root, const std::string& name)
{
    std::vector<std::string> names = m_options.addableKeys;
    if (m_override.origin == Origin::Option || contains(names, name))
        return true;
    const auto byPlus = m_options.acceptedKeys ? m_options.acceptedKeys({}, root, name)
                                               : std::optional<std::vector<std::string>>();
    const bool isByPlus = byPlus && contains(*byPlus, name);
    const bool mayAdd = m_override.text.starts_with("++"); // as of Hydra and FunASR
    if (isByPlus)
        return mayAdd
            || fail("the recipe has no key '" + name + "', though it may have one; ++"
                    + join(m_override.path, ".") + "=… adds it",
                placeIn(root));
    if (byPlus && mayAdd)
        names.insert(names.end(), byPlus->begin(), byPlus->end());
    return failUnknown(root, name, std::move(names));
}

bool Applier::failUnknown(
    const Node& mapping, const std::string& name, std::vector<std::string> names)
{
    const std::vector<std::string> keys = keyTexts(mapping);
    // The recipe's own names come first: of two that are as near, they are likelier meant.
    names.insert(names.begin(), keys.begin(), keys.end());
    const std::string near = nearestName(name, names);
    Span place = placeIn(mapping);
    for (const Entry& entry : mapping.entries)
        place = entry.key->text == near ? entry.key->span : place;
    if (m_path.empty())
        return fail("the recipe has no key '" + name + "'"
                + (near.empty() ? "; check the spelling, or add the key to the recipe"
                                : "; did you mean '" + near + "'?"),
            place);
    const bool isClass = mapping.tag.find(':') != std::string::npos;
    const std::string className = mapping.tag.substr(mapping.tag.find(':') + 1);
    return fail((isClass ? className + " takes no '" : pathText() + " has no key '") + name + "'"
            + suggestion(name, names),
        place);
}

/// Every node that the tree holds.
void collect(const Node& node, std::set<const Node*>& nodes)
{
    if (!nodes.insert(&node).second)
        return;
    for (const NodePtr& item : node.items)
        collect(*item, nodes);
    for (const Entry& entry : node.entries)
        collect(*entry.value, nodes);
}

/// An override given earlier whose value a later one has taken out of the tree again.
void reportReplaced(const Node& root, const std::vector<Override>& overrides,
    const std::vector<std::vector<NodePtr>>& placed, std::vector<Diagnostic>& diagnostics)
{
    std::set<const Node*> nodes;
    collect(root, nodes);
    for (size_t i = 0; i < overrides.size(); ++i) {
        const auto lost = std::find_if(placed[i].begin(), placed[i].end(),
            [&](const NodePtr& node) { return node && !nodes.contains(node.get()); });
        if (lost == placed[i].end())
            continue;
        diagnostics.push_back({ Severity::Error, "unknown-override",
            inQuotes(overrides[i].text)
                + " has no effect: a later override replaces its value; leave one of them out",
            (*lost)->span, std::nullopt });
    }
}

} // namespace

std::string suggestion(std::string_view wrong, const std::vector<std::string>& names)
{
    const std::string near = nearestName(wrong, names);
    if (!near.empty())
        return "; did you mean '" + near + "'?";
    if (names.empty())
        return "";
    const std::set<std::string> sorted(names.begin(), names.end());
    std::vector<std::string> shown;
    for (const std::string& name : sorted) {
        if (shown.size() < kShownNames)
            shown.push_back(name);
    }
    const size_t more = sorted.size() - shown.size();
    return "; it knows " + join(shown, ", ")
        + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

void applyOverrides(Node& root, const std::vector<Override>& overrides,
    const ResolveOptions& options, std::vector<Diagnostic>& diagnostics)
{
    std::vector<std::vector<NodePtr>> placed;
    for (const Override& override : overrides) {
        Applier applier(override, options);
        if (auto problem = applier.apply(root))
            diagnostics.push_back(std::move(*problem));
        placed.push_back(applier.placed());
    }
    reportReplaced(root, overrides, placed, diagnostics);
}

} // namespace earwright::recipe
