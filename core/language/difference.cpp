#include "core/language/difference.h"

#include "core/recipe/python_text.h"
#include "core/recipe/scalar_text.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace earwright::language {

using recipe::Entry;
using recipe::Kind;
using recipe::Node;

namespace {

bool isBareTag(const Node& node)
{
    return node.kind == Kind::Scalar && node.text.empty() && !node.tag.empty();
}

/// As one line: "0.15", "!new:torch.nn.ReLU", "!new:X {a: 1}", "[1, 2]".
std::string lineOf(const Node& node)
{
    if (node.tag.empty() || node.tag == "!tuple")
        return recipe::pythonText(node);
    const bool isEmpty = isBareTag(node)
        || (node.kind != Kind::Scalar && node.items.empty() && node.entries.empty());
    return isEmpty ? node.tag : node.tag + " " + recipe::pythonText(node);
}

bool isNumber(const Node& node)
{
    return node.tag.empty() && recipe::asDouble(node).has_value();
}

/// Of two scalars, or of a class and the same class with empty arguments.
bool isSameValue(const Node& a, const Node& b)
{
    if (a.tag != b.tag)
        return false;
    if (isNumber(a) && isNumber(b))
        return recipe::asDouble(a) == recipe::asDouble(b)
            || (*recipe::asDouble(a) != *recipe::asDouble(a)
                && *recipe::asDouble(b) != *recipe::asDouble(b)); // both are .nan
    if (recipe::scalarType(a) != recipe::scalarType(b))
        return false;
    return a.text == b.text || (recipe::asBool(a) && recipe::asBool(a) == recipe::asBool(b))
        || (recipe::isNull(a) && recipe::isNull(b));
}

class Finder final {
public:
    void compare(const Node& left, const Node& right, const std::string& path)
    {
        // What is shared is told once, where it is met first.
        if (left.kind != Kind::Scalar && !m_seen.insert({ &left, &right }).second)
            return;
        const bool isMapping = takesKeys(left) && takesKeys(right);
        const bool isList = left.kind == Kind::Sequence && right.kind == Kind::Sequence;
        if (isMapping && isObject(left, right))
            compareObjects(left, right, path);
        else if (isList)
            compareLists(left, right, path);
        else if (left.kind != right.kind || !isSameValue(left, right))
            add(path, &left, &right);
    }

    std::vector<Difference> found;

private:
    static bool takesKeys(const Node& node)
    {
        return node.kind == Kind::Mapping || isBareTag(node);
    }
    static bool isObject(const Node& left, const Node& right)
    {
        return left.kind == Kind::Mapping || right.kind == Kind::Mapping;
    }

    void compareObjects(const Node& left, const Node& right, const std::string& path)
    {
        if (left.tag != right.tag)
            found.push_back({ Change::Changed, path, left.tag, right.tag, left.span, right.span });
        compareKeys(left, right, path.empty() ? "" : path + ".");
    }

    void compareKeys(const Node& left, const Node& right, const std::string& before)
    {
        std::unordered_map<std::string_view, const Entry*> others;
        for (const Entry& entry : right.entries)
            others.emplace(entry.key->text, &entry);
        for (const Entry& entry : left.entries) {
            const auto other = others.find(entry.key->text);
            const std::string path = before + entry.key->text;
            if (other == others.end()) {
                add(path, entry.value.get(), nullptr);
                continue;
            }
            compare(*entry.value, *other->second->value, path);
            others.erase(other);
        }
        for (const Entry& entry : right.entries)
            if (others.contains(entry.key->text))
                add(before + entry.key->text, nullptr, entry.value.get());
    }

    void compareLists(const Node& left, const Node& right, const std::string& path)
    {
        if (left.tag != right.tag)
            return add(path, &left, &right);
        for (size_t i = 0; i < std::max(left.items.size(), right.items.size()); ++i) {
            const std::string item = path + "[" + std::to_string(i) + "]";
            if (i >= right.items.size())
                add(item, left.items[i].get(), nullptr);
            else if (i >= left.items.size())
                add(item, nullptr, right.items[i].get());
            else
                compare(*left.items[i], *right.items[i], item);
        }
    }

    /// One of the two may be null: it is not there.
    void add(const std::string& path, const Node* left, const Node* right)
    {
        Difference difference;
        difference.change = !left ? Change::Added : right ? Change::Changed : Change::Removed;
        difference.path = path;
        if (left) {
            difference.left = lineOf(*left);
            difference.leftSpan = left->span;
        }
        if (right) {
            difference.right = lineOf(*right);
            difference.rightSpan = right->span;
        }
        if (left && right && difference.left == difference.right) { // "1" and 1
            difference.left = recipe::scalarYaml(*left, false);
            difference.right = recipe::scalarYaml(*right, false);
        }
        found.push_back(std::move(difference));
    }

    std::set<std::pair<const Node*, const Node*>> m_seen;
};

} // namespace

std::vector<Difference> differences(const Node& left, const Node& right)
{
    Finder finder;
    finder.compare(*recipe::withoutHiddenKeys(left), *recipe::withoutHiddenKeys(right), "");
    std::stable_partition(finder.found.begin(), finder.found.end(),
        [](const Difference& difference) { return difference.change != Change::Added; });
    return std::move(finder.found);
}

} // namespace earwright::language
