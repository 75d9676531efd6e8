#include "core/language/same.h"

#include "core/base/text.h"
#include "core/recipe/reference.h"

#include <set>
#include <utility>

namespace kymo::language {

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

class Comparison final {
public:
    explicit Comparison(const Renamed& renamed)
        : m_renamed(renamed)
    {
    }

    bool isSame(const Node& a, const Node& b)
    {
        if (a.kind != b.kind || a.tag != b.tag || !isSameText(a.text, b.text) || a.style != b.style
            || a.items.size() != b.items.size() || a.entries.size() != b.entries.size())
            return false;
        // What is shared is compared once.
        if (a.kind != recipe::Kind::Scalar && !m_seen.insert({ &a, &b }).second)
            return true;
        for (size_t i = 0; i < a.items.size(); ++i)
            if (!isSame(*a.items[i], *b.items[i]))
                return false;
        for (size_t i = 0; i < a.entries.size(); ++i)
            if (!isSameKey(*a.entries[i].key, *b.entries[i].key)
                || !isSame(*a.entries[i].value, *b.entries[i].value))
                return false;
        return true;
    }

private:
    bool isSameKey(const Node& a, const Node& b)
    {
        return (a.text == m_renamed.before && b.text == m_renamed.after) || isSame(a, b);
    }

    /// A string may hold the reference that a `!ref` to it finds there.
    bool isSameText(const std::string& a, const std::string& b) const
    {
        return a == b || (!m_renamed.before.empty() && renamedText(a, m_renamed) == b);
    }

    const Renamed& m_renamed;
    std::set<std::pair<const Node*, const Node*>> m_seen;
};

} // namespace

bool isSame(const Node& before, const Node& after, const Renamed& renamed)
{
    return Comparison(renamed).isSame(before, after);
}

} // namespace kymo::language
