#include "core/recipe/node_places.h"

#include <utility>

namespace earwright::recipe {
namespace {

constexpr size_t kShownPathBytes = 200;

} // namespace

NodePlaces::NodePlaces(std::string keyPath)
    : m_keyPath(std::move(keyPath))
{
}

bool NodePlaces::add(const Node& node, const Place& place)
{
    return m_places.try_emplace(&node, place).second;
}

std::string NodePlaces::pathOf(const Node* node) const
{
    std::string path;
    for (auto found = m_places.find(node); found != m_places.end() && found->second.parent;
         found = m_places.find(found->second.parent)) {
        const Place& place = found->second;
        const std::string dot = path.empty() || path[0] == '[' ? "" : ".";
        path = (place.key ? place.key->text.substr(0, kShownPathBytes) + dot
                          : "[" + std::to_string(place.index) + "]" + dot)
            + path;
        if (path.size() > kShownPathBytes)
            return "…" + path.substr(path.size() - kShownPathBytes);
    }
    const bool needsDot = !m_keyPath.empty() && !path.empty() && path[0] != '[';
    return m_keyPath + (needsDot ? "." : "") + path;
}

bool NodePlaces::isAhead(const Node& node, const Node& at) const
{
    const auto there = m_places.find(&node);
    const auto here = m_places.find(&at);
    return there != m_places.end() && here != m_places.end()
        && there->second.order > here->second.order;
}

} // namespace earwright::recipe
