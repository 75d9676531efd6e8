#include "tests/recipe/tree_comparison.h"

#include <map>

namespace earwright::recipe {
namespace {

/// Numbers and booleans by value, as a dump does not keep their spelling: 1e-8 and 1.0e-08, True
/// and true are one; strings by text.
bool isSameScalar(const Node& a, const Node& b)
{
    if (scalarType(a) != scalarType(b))
        return false;
    const auto x = asDouble(a);
    const auto y = asDouble(b);
    if (x && y)
        return *x == *y || (*x != *x && *y != *y);
    return isNull(a) || (asBool(a) && asBool(a) == asBool(b)) || a.text == b.text;
}

class Comparison final {
public:
    std::string compare(const Node& a, const Node& b, const std::string& path)
    {
        if (a.kind != b.kind || a.tag != b.tag || a.items.size() != b.items.size())
            return path + ": " + describe(a) + " instead of " + describe(b);
        if (a.kind == Kind::Scalar && !isSameScalar(a, b))
            return path + ": " + describe(a) + " instead of " + describe(b);
        // A tuple cannot be changed: whether two are one object makes no difference, and a dump
        // writes each as text.
        if (a.tag != "!tuple" && (a.kind != Kind::Scalar || !a.tag.empty())) {
            const bool isKnown = m_pairs.contains(&a);
            if (isKnown != m_seen.contains(&b) || (isKnown && m_pairs[&a] != &b))
                return path + ": another object is shared here";
            m_pairs[&a] = &b;
            m_seen[&b] = true;
            if (isKnown)
                return "";
        }
        return compareChildren(a, b, path);
    }

private:
    static std::string describe(const Node& node)
    {
        return node.tag + " '" + node.text + "' (" + std::to_string(node.items.size()) + " items)";
    }
    std::string compareChildren(const Node& a, const Node& b, const std::string& path)
    {
        for (size_t i = 0; i < a.items.size(); ++i) {
            const std::string place = path + "[" + std::to_string(i) + "]";
            if (auto text = compare(*a.items[i], *b.items[i], place); !text.empty())
                return text;
        }
        for (size_t i = 0; i < std::max(a.entries.size(), b.entries.size()); ++i) {
            if (i >= a.entries.size())
                return path + ": misses the key " + b.entries[i].key->text;
            const std::string place = path + "." + a.entries[i].key->text;
            if (i >= b.entries.size() || a.entries[i].key->text != b.entries[i].key->text)
                return place + ": the key is not expected here";
            if (auto text = compare(*a.entries[i].value, *b.entries[i].value, place); !text.empty())
                return text;
        }
        return "";
    }

    std::map<const Node*, const Node*> m_pairs;
    std::map<const Node*, bool> m_seen;
};

} // namespace

std::string firstDifference(const Node& actual, const Node& expected)
{
    return Comparison().compare(actual, expected, "");
}

} // namespace earwright::recipe
