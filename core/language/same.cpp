#include "core/language/same.h"

#include "core/language/written.h"
#include "core/recipe/reference.h"

#include <algorithm>
#include <set>
#include <utility>

namespace earwright::language {

using recipe::Entry;
using recipe::Kind;
using recipe::Node;

namespace {

/// A text with the key called otherwise in every "<…>" that names it.
std::string renamedText(const std::string& text, const Renamed& renamed)
{
    std::string result;
    for (const recipe::Piece& piece : recipe::splitReferences(text)) {
        if (!piece.isReference) {
            result += piece.text;
            continue;
        }
        size_t begin = 0;
        for (size_t end = 0; end < piece.text.size(); begin = end + 1) {
            end = std::min(piece.text.find_first_of("<>[].", begin), piece.text.size());
            const std::string name = piece.text.substr(begin, end - begin);
            result += name == renamed.before ? renamed.after : name;
            result += piece.text.substr(end, 1);
        }
    }
    return result;
}

bool isOmitted(const Node& mapping, const Entry& entry, const Omitted& omitted)
{
    if (!omitted.entry || entry.key->text != omitted.entry->key->text)
        return false;
    const bool isOwn = !isInherited(*omitted.mapping, *omitted.entry);
    return &mapping == omitted.mapping || (isOwn && entry.key == omitted.entry->key);
}

std::vector<const Entry*> comparedEntries(const Node& mapping, const Omitted& omitted)
{
    std::vector<const Entry*> entries;
    for (const Entry& entry : mapping.entries)
        if (!isOmitted(mapping, entry, omitted))
            entries.push_back(&entry);
    return entries;
}

/// Nothing is written but perhaps a tag.
bool isBare(const Node& node, const std::vector<const Entry*>& entries)
{
    if (node.kind == Kind::Mapping)
        return entries.empty();
    return node.kind == Kind::Scalar && node.text.empty()
        && node.style == recipe::ScalarStyle::Plain;
}

class Comparison final {
public:
    explicit Comparison(const Allowed& allowed)
        : m_allowed(allowed)
    {
    }

    bool isSame(const Node& a, const Node& b)
    {
        if (&a == m_allowed.valueBefore && &b == m_allowed.valueAfter)
            return true;
        const auto entriesA = comparedEntries(a, m_allowed.before);
        const auto entriesB = comparedEntries(b, m_allowed.after);
        if (a.tag == b.tag && isBare(a, entriesA) && isBare(b, entriesB))
            return true;
        if (a.kind != b.kind || a.tag != b.tag || !isSameText(a.text, b.text) || a.style != b.style
            || a.items.size() != b.items.size() || entriesA.size() != entriesB.size())
            return false;
        // What is shared is compared once.
        if (a.kind != Kind::Scalar && !m_seen.insert({ &a, &b }).second)
            return true;
        for (size_t i = 0; i < a.items.size(); ++i)
            if (!isSame(*a.items[i], *b.items[i]))
                return false;
        return std::equal(entriesA.begin(), entriesA.end(), entriesB.begin(),
            [this](const Entry* x, const Entry* y) {
                return isSameKey(*x->key, *y->key) && isSame(*x->value, *y->value);
            });
    }

private:
    bool isSameKey(const Node& a, const Node& b)
    {
        const Renamed& renamed = m_allowed.renamed;
        return (a.text == renamed.before && b.text == renamed.after) || isSame(a, b);
    }

    /// A string may hold the reference that a `!ref` to it finds there.
    bool isSameText(const std::string& a, const std::string& b) const
    {
        const Renamed& renamed = m_allowed.renamed;
        return a == b || (!renamed.before.empty() && renamedText(a, renamed) == b);
    }

    const Allowed& m_allowed;
    std::set<std::pair<const Node*, const Node*>> m_seen;
};

} // namespace

bool isSame(const Node& before, const Node& after, const Allowed& allowed)
{
    return Comparison(allowed).isSame(before, after);
}

} // namespace earwright::language
