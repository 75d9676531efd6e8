#include "core/train/task/counterparts.h"

#include "core/base/text.h"

#include <algorithm>
#include <compare>
#include <unordered_map>
#include <unordered_set>

namespace earwright::train {

namespace {

/// Each is looked for in all layers of the others.
constexpr size_t kMostTwins = 40;
/// Of some hundred names beside as many, which takes a second.
constexpr size_t kMostCompared = 250'000'000;
/// Of a name: nobody types a longer one, and two take the product of their lengths.
constexpr size_t kMostLetters = 200;

/// Of two tails, by their places in their lists.
struct Likeness {
    size_t distance = 0;
    size_t own = 0;
    size_t other = 0;

    auto operator<=>(const Likeness&) const = default;
};

/// That of the names of `longer`. Of those that make as many match, the first by name.
LeadingPart partBefore(const Names& longer, const Names& shorter)
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

/// Their distance is that of what two do not begin and end with alike.
void leaveOutCommon(std::string_view& one, std::string_view& other)
{
    const auto differ = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
    const auto begin = static_cast<size_t>(differ.first - one.begin());
    one.remove_prefix(begin);
    other.remove_prefix(begin);
    const auto rest = std::mismatch(one.rbegin(), one.rend(), other.rbegin(), other.rend());
    const auto end = static_cast<size_t>(rest.first - one.rbegin());
    one.remove_suffix(end);
    other.remove_suffix(end);
}

Names inLowerCase(const std::set<std::string>& names)
{
    Names lower;
    for (const std::string& name : names)
        lower.push_back(toLower(name));
    return lower;
}

} // namespace

LeadingPart leadingPart(const Names& names, const Names& others)
{
    LeadingPart found = partBefore(names, others);
    LeadingPart ofOthers = partBefore(others, names);
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

/// Nothing where they are too unlike for a typing error.
std::optional<size_t> Counterparts::distance(std::string_view one, std::string_view other)
{
    const auto [shorter, longer] = std::minmax({ one.size(), other.size() });
    const size_t most = std::max<size_t>(2, shorter / 3);
    m_compared += shorter + longer;
    if (one != other && (longer > kMostLetters || longer - shorter > most))
        return std::nullopt;
    leaveOutCommon(one, other);
    m_compared += one.size() * other.size();
    const size_t distance = editDistance(one, other);
    // Two letters changed in a name of two is another name.
    return distance <= most && (distance < longer || longer == 0) ? std::optional(distance)
                                                                  : std::nullopt;
}

Counterparts::Pairs Counterparts::pairsOf(const Tails& own, const Tails& others)
{
    const Names names(own.begin(), own.end()), otherNames(others.begin(), others.end());
    const Names lower = inLowerCase(own), otherLower = inLowerCase(others);
    std::vector<Likeness> found;
    for (size_t i = 0; i < lower.size() && m_compared <= kMostCompared; ++i)
        for (size_t j = 0; j < otherLower.size() && m_compared <= kMostCompared; ++j)
            if (const auto letters = distance(lower[i], otherLower[j]))
                found.push_back({ *letters, i, j });
    std::sort(found.begin(), found.end());
    Pairs pairs;
    std::set<size_t> taken;
    for (const Likeness& one : found)
        if (!pairs.contains(names[one.own]) && taken.insert(one.other).second)
            pairs[names[one.own]] = otherNames[one.other];
    return pairs;
}

std::string Counterparts::of(const std::string& name)
{
    if (const std::string other = shifted(name); has(other))
        return other;
    const std::string layer = layerOf(name);
    const std::string there = isOfOthers(layer) ? layer : twinOf(layer);
    if (there.empty())
        return "";
    if (!m_pairs.contains(layer))
        m_pairs[layer] = pairsOf(m_names.at(layer), m_others.at(there));
    const Pairs& pairs = m_pairs.at(layer);
    const auto found = pairs.find(name.substr(layer.size()));
    return found == pairs.end() ? "" : there + found->second;
}

} // namespace earwright::train
