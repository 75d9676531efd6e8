#include "core/language/mention.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace earwright::language {

using recipe::Node;
using recipe::Position;
using recipe::SourceText;

namespace {

constexpr std::string_view kTokenEnds = " \t\r\n,[]{}";

/// Whether a "&" or "*" may begin a token: it stands behind what may stand before a node.
bool beginsToken(std::string_view text, size_t at)
{
    const bool isFree
        = at == 0 || std::string_view(" \t\r\n[{,").find(text[at - 1]) != std::string_view::npos;
    return isFree && at + 1 < text.size()
        && std::string_view(" \t\r\n,[]{}&*").find(text[at + 1]) == std::string_view::npos;
}

/// Which places lie inside of scalars.
class Scalars final {
public:
    Scalars(const Node& root, const SourceText& source)
        : m_source(source)
    {
        collect(root);
        std::sort(m_scalars.begin(), m_scalars.end(),
            [](const Node* a, const Node* b) { return a->span.begin < b->span.begin; });
    }

    bool hold(size_t offset) const
    {
        const Position place = m_source.position(offset);
        auto next = std::upper_bound(m_scalars.begin(), m_scalars.end(), place,
            [](Position p, const Node* node) { return p < node->span.begin; });
        if (next == m_scalars.begin() || (*--next)->span.end <= place)
            return false;
        const size_t begin = m_source.offset((*next)->span.begin);
        return recipe::skipProperties(m_source.text(), begin).content <= offset;
    }

    bool isComment(size_t offset) const
    {
        const std::string_view text = m_source.text();
        const size_t lineBegin = m_source.lineBegin(m_source.position(offset).line);
        for (size_t at = text.find('#', lineBegin); at < offset; at = text.find('#', at + 1)) {
            const bool isFree = at == lineBegin || text[at - 1] == ' ' || text[at - 1] == '\t';
            if (isFree && !hold(at))
                return true;
        }
        return false;
    }

private:
    void collect(const Node& node)
    {
        if (node.kind == recipe::Kind::Scalar) {
            m_scalars.push_back(&node);
            return;
        }
        if (!m_seen.insert(&node).second)
            return;
        for (const recipe::NodePtr& item : node.items)
            collect(*item);
        for (const recipe::Entry& entry : node.entries) {
            collect(*entry.key);
            collect(*entry.value);
        }
    }

    const SourceText& m_source;
    std::vector<const Node*> m_scalars;
    std::unordered_set<const Node*> m_seen;
};

/// The key whose value carries the anchor at `offset`.
Target carrierOf(const std::vector<WrittenKey>& keys, const SourceText& source, size_t offset)
{
    const Position place = source.position(offset);
    auto next = std::upper_bound(keys.begin(), keys.end(), place,
        [](Position p, const WrittenKey& key) { return p < key.entry->key->span.begin; });
    if (next == keys.begin())
        return {};
    const WrittenKey& key = *--next;
    if (isAlias(*key.entry))
        return {};
    const size_t begin = source.offset(key.entry->value->span.begin);
    if (offset < begin || offset >= recipe::skipProperties(source.text(), begin).end)
        return {};
    return { key.entry, key.resolved, key.path };
}

struct Anchor {
    size_t number = 0;
    Target target;
};

} // namespace

std::vector<Mention> anchorsOf(const Document& document, const SourceText& source)
{
    std::vector<Mention> mentions;
    const std::string_view text = source.text();
    if (!document.tree || text.find_first_of("&*") == std::string_view::npos)
        return mentions;
    const Scalars scalars(*document.tree, source);
    const std::vector<WrittenKey> keys = writtenKeys(document);
    std::map<std::string, Anchor, std::less<>> anchors; // the last one of a name is meant
    size_t count = 0;
    for (size_t at = text.find_first_of("&*"); at < text.size();
         at = text.find_first_of("&*", at + 1)) {
        if (!beginsToken(text, at) || scalars.hold(at) || scalars.isComment(at))
            continue;
        const size_t end = std::min(text.find_first_of(kTokenEnds, at), text.size());
        const std::string name(text.substr(at + 1, end - at - 1));
        if (text[at] == '&')
            anchors[name] = { ++count, carrierOf(keys, source, at) };
        const Anchor& anchor = anchors[name];
        mentions.push_back({ text[at] == '&' ? MentionKind::Anchor : MentionKind::Alias,
            source.span(document.request.fileName, at + 1, end), name, anchor.target,
            anchor.number });
    }
    return mentions;
}

} // namespace earwright::language
