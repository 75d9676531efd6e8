#include "core/train/task/counterparts.h"

#include "core/base/text.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace kymo::train {

namespace {

using Names = std::vector<std::string>;

/// Each is looked for in all layers of the others.
constexpr size_t kMostTwins = 40;
/// Of some hundred names beside as many, which takes a second.
constexpr size_t kMostCompared = 250'000'000;

/// That of the names of `longer`. Of those that make as many match, the first by name.
LeadingPart partOf(const Names& longer, const Names& shorter)
{
    const std::unordered_set<std::string_view> known(shorter.begin(), shorter.end());
    std::map<std::string_view, size_t> counts;
    for (const std::string_view name : longer) {
        for (size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
            if (known.contains(name.substr(dot + 1)))
                ++counts[name.substr(0, dot)];
        }
    }
    LeadingPart found;
    for (const auto& [part, count] : counts) {
        if (count > found.count)
            found = { .part = std::string(part), .count = count };
    }
    return found;
}

} // namespace

LeadingPart leadingPart(const Names& names, const Names& others)
{
    LeadingPart found = partOf(names, others);
    LeadingPart ofOthers = partOf(others, names);
    ofOthers.isOfOthers = true;
    if (ofOthers.count > found.count)
        found = ofOthers;
    return 2 * found.count > std::min(names.size(), others.size()) ? found : LeadingPart();
}

std::string layerOf(const std::string& name)
{
    return name.substr(0, name.find('.'));
}

Counterparts::Counterparts(const Names& names, const Names& others)
    : m_names(layersOf(names))
    , m_others(layersOf(others))
    , m_leading(leadingPart(names, others))
{
}

Counterparts::Layers Counterparts::layersOf(const Names& names)
{
    Layers layers;
    for (const std::string& name : names) {
        const std::string layer = layerOf(name);
        layers[layer].insert(name.substr(layer.size()));
    }
    return layers;
}

std::string Counterparts::searchTwin(const Tails& own) const
{
    std::string twin;
    int64_t most = 0;
    for (const auto& [layer, tails] : m_others) {
        // Any two names without a '.' have the tail "".
        const int64_t shared = std::count_if(tails.begin(), tails.end(),
            [&](const std::string& tail) { return !tail.empty() && own.contains(tail); });
        if (shared > most) {
            twin = layer;
            most = shared;
        }
    }
    return twin;
}

std::string Counterparts::twinOf(const std::string& layer)
{
    const auto known = m_twins.find(layer);
    if (known != m_twins.end())
        return known->second;
    const auto own = m_names.find(layer);
    if (own == m_names.end() || isOfOthers(layer) || m_leading.isFound()
        || m_twins.size() == kMostTwins)
        return "";
    return m_twins[layer] = searchTwin(own->second);
}

bool Counterparts::has(const std::string& other) const
{
    const std::string layer = layerOf(other);
    const auto found = m_others.find(layer);
    return found != m_others.end() && found->second.contains(other.substr(layer.size()));
}

std::string Counterparts::shifted(const std::string& name) const
{
    const std::string before = m_leading.part + ".";
    if (!m_leading.isFound())
        return "";
    if (m_leading.isOfOthers)
        return before + name;
    return name.starts_with(before) ? name.substr(before.size()) : "";
}

std::string Counterparts::nearestIn(const std::string& layer, const std::string& tail)
{
    const Tails& tails = m_others.at(layer);
    if (tails.contains(tail))
        return layer + tail;
    for (const std::string& other : tails) {
        if (m_compared > kMostCompared)
            return "";
        m_compared += tail.size() * other.size();
    }
    const std::string nearest = nearestName(tail, Names(tails.begin(), tails.end()));
    return nearest.empty() ? "" : layer + nearest;
}

std::string Counterparts::of(const std::string& name)
{
    if (const std::string other = shifted(name); has(other))
        return other;
    const std::string layer = layerOf(name);
    const std::string there = isOfOthers(layer) ? layer : twinOf(layer);
    return there.empty() ? "" : nearestIn(there, name.substr(layer.size()));
}

} // namespace kymo::train
