#include "core/language/mention.h"

#include "core/recipe/reference.h"

#include <algorithm>
#include <unordered_set>

namespace earwright::language {

using recipe::Kind;
using recipe::Node;
using recipe::Position;
using recipe::SourceText;

namespace {

/// The names of "<a[b].c>" with their offsets: a and b.
void addNames(std::string_view text, size_t begin, size_t end, std::vector<size_t>& begins)
{
    for (size_t at = begin + 1; at < end && text[at] != '.'; ++at)
        if (text[at - 1] == '<' || text[at - 1] == '[')
            begins.push_back(at);
}

size_t nameEnd(std::string_view text, size_t begin)
{
    return std::min(text.find_first_of("<>[].", begin), text.size());
}

/// A string that a reference leads to is searched for references again, as upstream does.
bool leadsOn(const Node& node)
{
    return node.kind == Kind::Scalar && node.tag.empty()
        && recipe::scalarType(node) == recipe::ScalarType::String
        && recipe::hasReference(node.text);
}

class Collector final {
public:
    Collector(const Document& document, const SourceText& source)
        : m_source(source)
        , m_follower(document)
    {
    }

    void add(const WrittenKey& key)
    {
        const recipe::Entry& entry = *key.entry;
        m_mentions.push_back({ MentionKind::Key, nameSpan(*entry.key), entry.key->text,
            { key.included ? key.included : &entry, key.resolved, key.path }, 0 });
        addScalars(*entry.value);
    }

    std::vector<Mention> finish()
    {
        std::stable_sort(m_mentions.begin(), m_mentions.end(),
            [](const Mention& a, const Mention& b) { return a.span.begin < b.span.begin; });
        return std::move(m_mentions);
    }

private:
    void addScalars(const Node& node)
    {
        if (recipe::isReference(node))
            addReferencesOf(node);
        for (const recipe::NodePtr& item : node.items)
            if (m_listsSeen.insert(item.get()).second)
                addScalars(*item);
    }

    void addReferencesOf(const Node& node)
    {
        if (!m_searched.insert(&node).second)
            return;
        const size_t first = m_mentions.size();
        addReferences(node, m_source, m_follower, m_mentions);
        const size_t last = m_mentions.size();
        for (size_t i = first; i < last; ++i) {
            const recipe::Entry* const entry = m_mentions[i].target.entry;
            if (entry && entry->value->origin == recipe::Origin::Recipe && leadsOn(*entry->value))
                addReferencesOf(*entry->value);
        }
    }

    const SourceText& m_source;
    Follower m_follower;
    std::vector<Mention> m_mentions;
    std::unordered_set<const Node*> m_searched;
    std::unordered_set<const Node*> m_listsSeen;
};

bool covers(const recipe::Span& span, Position place)
{
    return span.begin <= place && place <= span.end;
}

std::optional<Mention> keyMention(const Trail& trail)
{
    const WrittenKey& key = trail.keys.back();
    const recipe::Entry* const entry = key.included ? key.included : key.entry;
    return Mention { MentionKind::Key, nameSpan(*key.entry->key), key.entry->key->text,
        { entry, key.resolved, key.path }, 0 };
}

std::optional<Mention> among(const std::vector<Mention>& mentions, Position place)
{
    for (const Mention& mention : mentions)
        if (covers(mention.span, place))
            return mention;
    return std::nullopt;
}

} // namespace

void addReferences(const Node& scalar, const SourceText& source, Follower& follower,
    std::vector<Mention>& mentions)
{
    const std::string_view text = source.text();
    const size_t end = std::min(source.offset(scalar.span.end), text.size());
    size_t at = recipe::skipProperties(text, source.offset(scalar.span.begin)).content;
    while (at < end) {
        const size_t open = text.find('<', at);
        const size_t close = open == std::string_view::npos ? open : text.find('>', open);
        if (close == std::string_view::npos || close >= end)
            return;
        std::vector<size_t> begins;
        addNames(text, open, close, begins);
        const auto keys
            = recipe::readReference(std::string(text.substr(open, close + 1 - open))).keys;
        for (size_t i = 0; i < begins.size() && i < keys.size(); ++i) {
            const auto target = follower.follow({ keys.begin(), keys.begin() + 1 + long(i) });
            mentions.push_back({ MentionKind::Reference,
                source.span(scalar.span.file, begins[i], nameEnd(text, begins[i])), keys[i],
                target.value_or(Target {}), 0 });
        }
        at = close + 1;
    }
}

std::vector<Mention> mentionsOf(const Document& document)
{
    const SourceText source(document.treeText);
    Collector collector(document, source);
    for (const WrittenKey& key : writtenKeys(document))
        collector.add(key);
    return collector.finish();
}

std::optional<Mention> mentionAt(const Document& document, Position treePlace)
{
    const Trail trail = trailAt(document, treePlace);
    if (trail.isOnKey && covers(nameSpan(*trail.leaf), treePlace))
        return keyMention(trail);
    const SourceText source(document.treeText);
    if (trail.leaf && trail.leaf->kind == Kind::Scalar) {
        Follower follower(document);
        std::vector<Mention> names;
        if (recipe::isReference(*trail.leaf) || leadsOn(*trail.leaf))
            addReferences(*trail.leaf, source, follower, names);
        if (auto found = among(names, treePlace))
            return found;
    }
    return among(anchorsOf(document, source), treePlace);
}

} // namespace earwright::language
