#include "core/plan/tree_difference.h"

#include "core/base/text.h"
#include "core/recipe/resolve.h"

#include <algorithm>
#include <set>
#include <utility>

namespace earwright::plan {
namespace {

using recipe::Kind;
using recipe::Node;
using recipe::NodePtr;

/// One comparison. What is shared is compared once, and told at each of its places.
class Comparison final {
public:
    bool areSame(const Node& before, const Node& after)
    {
        if (m_same.contains({ &before, &after }))
            return true;
        const bool same = before.kind == after.kind && before.tag == after.tag
            && before.text == after.text
            && (before.style == recipe::ScalarStyle::Plain)
                == (after.style == recipe::ScalarStyle::Plain)
            && haveSameItems(before, after) && haveSameEntries(before, after);
        if (same)
            m_same.insert({ &before, &after });
        return same;
    }

    void tell(const std::string& path, const NodePtr& before, const NodePtr& after)
    {
        if (before && after && areSame(*before, *after))
            return;
        const bool isAlike
            = before && after && before->kind == after->kind && before->tag == after->tag;
        if (isAlike && before->kind == Kind::Mapping)
            return tellEntries(path.empty() ? "" : path + ".", *before, *after);
        if (isAlike && before->kind == Kind::Sequence
            && before->items.size() == after->items.size()) {
            for (size_t i = 0; i < before->items.size(); ++i)
                tell(path + "." + std::to_string(i), before->items[i], after->items[i]);
            return;
        }
        const recipe::Node* const only = before ? before.get() : after.get();
        const bool isSection = only->kind == Kind::Mapping && only->tag.empty();
        if (isSection && !only->entries.empty() && (!before || !after))
            return tellEntries(path + ".", before ? *before : Node(), after ? *after : Node());
        m_paths.push_back(path);
    }

    std::vector<std::string> takePaths() { return std::move(m_paths); }

private:
    bool haveSameItems(const Node& before, const Node& after)
    {
        return std::equal(before.items.begin(), before.items.end(), after.items.begin(),
            after.items.end(),
            [this](const NodePtr& one, const NodePtr& other) { return areSame(*one, *other); });
    }

    /// In whatever order: no key of a recipe minds it.
    bool haveSameEntries(const Node& before, const Node& after)
    {
        return before.entries.size() == after.entries.size()
            && std::all_of(
                before.entries.begin(), before.entries.end(), [&](const recipe::Entry& entry) {
                    const NodePtr other = recipe::find(after, entry.key->text);
                    return other && areSame(*entry.value, *other);
                });
    }

    void tellEntries(const std::string& prefix, const Node& before, const Node& after)
    {
        for (const recipe::Entry& entry : before.entries)
            tell(prefix + entry.key->text, entry.value, recipe::find(after, entry.key->text));
        for (const recipe::Entry& entry : after.entries)
            if (!recipe::find(before, entry.key->text))
                tell(prefix + entry.key->text, nullptr, entry.value);
    }

    std::set<std::pair<const Node*, const Node*>> m_same;
    std::vector<std::string> m_paths;
};

} // namespace

std::vector<std::string> differences(const Node& before, const Node& after)
{
    Comparison comparison;
    comparison.tell("", std::make_shared<Node>(before), std::make_shared<Node>(after));
    return comparison.takePaths();
}

std::string textAtPath(const Node& root, const std::string& path)
{
    const NodePtr node = recipe::findPath(root, path);
    if (!node)
        return "nothing";
    if (node->kind == Kind::Scalar && node->tag.empty())
        return node->text.empty() ? "nothing" : node->text;
    return recipe::emitJson(*node);
}

} // namespace earwright::plan
