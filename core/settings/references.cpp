#include "core/settings/references.h"

#include "core/base/text.h"
#include "core/recipe/reference.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::settings {

using recipe::Node;
using recipe::NodePtr;

namespace {

class Collector final {
public:
    void collect(const Node& node, const std::string& path)
    {
        if (!m_seen.insert(&node).second)
            return;
        if (recipe::isReferenceTag(node.tag))
            add(node, path);
        for (size_t i = 0; i < node.items.size(); ++i)
            collect(*node.items[i], below(path, std::to_string(i)));
        for (const recipe::Entry& entry : node.entries)
            collect(*entry.value, below(path, entry.key->text));
    }
    std::vector<ReferenceUse> take() { return std::move(m_uses); }

private:
    static std::string below(const std::string& path, const std::string& key)
    {
        return path.empty() ? key : path + "." + key;
    }

    void add(const Node& node, const std::string& path)
    {
        for (const recipe::Piece& piece : recipe::splitReferences(node.text))
            if (piece.isReference)
                m_uses.push_back(
                    { path, join(recipe::readReference(piece.text).keys, "."), node.span });
    }

    NodeSet m_seen;
    std::vector<ReferenceUse> m_uses;
};

} // namespace

std::vector<ReferenceUse> referenceUses(const Node& parsed)
{
    Collector collector;
    collector.collect(parsed, "");
    return collector.take();
}

bool isReferred(const std::vector<ReferenceUse>& uses, std::string_view key)
{
    return std::any_of(uses.begin(), uses.end(), [&](const ReferenceUse& use) {
        return use.target == key || use.target.starts_with(std::string(key) + ".");
    });
}

} // namespace earwright::settings
