#include "core/train/unmatched.h"

#include "core/base/text.h"

#include <algorithm>
#include <map>
#include <set>

namespace kymo::train {

namespace {

using Names = std::vector<std::string>;

/// Listed by name of each list; the others are counted.
constexpr size_t kMostListed = 6;
/// Of what keeps a run from its start, which all has to be seen to.
constexpr size_t kMostLacking = 40;

std::string layerOf(const std::string& name)
{
    return name.substr(0, name.find('.'));
}

std::set<std::string> layersOf(const Names& names)
{
    std::set<std::string> layers;
    for (const std::string& name : names)
        layers.insert(layerOf(name));
    return layers;
}

std::set<std::string> tailsOf(const Names& names, const std::string& layer)
{
    std::set<std::string> tails;
    for (const std::string& name : names)
        if (layerOf(name) == layer)
            tails.insert(name.substr(layer.size()));
    return tails;
}

/// The layer of `others` with the most names below it that `layer` has too: the same under another
/// key. "" where none shares any.
std::string twinOf(const std::string& layer, const Names& names, const Names& others)
{
    const std::set<std::string> own = tailsOf(names, layer);
    std::string twin;
    int64_t most = 0;
    for (const std::string& other : layersOf(others)) {
        const std::set<std::string> tails = tailsOf(others, other);
        const int64_t shared = std::count_if(tails.begin(), tails.end(),
            [&](const std::string& tail) { return own.contains(tail); });
        if (shared > most) {
            twin = other;
            most = shared;
        }
    }
    return twin;
}

/// `names`, with the nearest of `others`, which `verb` names. Those of a layer that the others know
/// nothing of are counted, with the layer that has such names: they are no typing error.
std::string list(const Names& names, const Names& others, const std::string& verb)
{
    const std::set<std::string> known = layersOf(others);
    std::map<std::string, int64_t> counts;
    Names parts;
    for (const std::string& name : names) {
        if (!known.contains(layerOf(name)) || parts.size() == kMostListed) {
            ++counts[layerOf(name)];
            continue;
        }
        const std::string nearest = nearestName(name, others);
        parts.push_back(
            inQuotes(name) + (nearest.empty() ? "" : " (" + verb + " " + inQuotes(nearest) + ")"));
    }
    for (const auto& [layer, count] : counts) {
        const std::string twin = known.contains(layer) ? "" : twinOf(layer, names, others);
        parts.push_back(layer + " (" + std::to_string(count)
            + (twin.empty() ? "" : "; " + verb + " such names below " + inQuotes(twin)) + ")");
    }
    return join(parts, ", ");
}

std::string shapeText(const std::vector<int64_t>& sizes)
{
    Names parts;
    for (const int64_t size : sizes)
        parts.push_back(std::to_string(size));
    return "[" + join(parts, ", ") + "]";
}

/// The first `most`, and how many more there are.
std::string listFirst(Names parts, size_t most)
{
    const size_t count = parts.size();
    parts.resize(std::min(count, most));
    return join(parts, ", ")
        + (count > most ? " and " + std::to_string(count - most) + " more" : "");
}

std::string listShapes(const std::vector<Misshapen>& misshapen)
{
    Names parts;
    for (const Misshapen& one : misshapen)
        parts.push_back(inQuotes(one.name) + " (" + shapeText(one.there) + " there, "
            + shapeText(one.here) + " here)");
    return listFirst(std::move(parts), kMostListed);
}

} // namespace

std::string describe(const Unmatched& unmatched)
{
    std::string text;
    if (!unmatched.missing.empty())
        text += "; it has none of these, which are drawn: "
            + list(unmatched.missing, unmatched.unexpected, "it has");
    if (!unmatched.misshapen.empty())
        text += "; these have another shape, and are drawn: " + listShapes(unmatched.misshapen);
    if (!unmatched.unexpected.empty())
        text += "; these are not used: "
            + list(unmatched.unexpected, unmatched.missing, "the recipe has");
    return text;
}

std::string describeLacking(const Unmatched& unmatched)
{
    Names parts;
    for (const std::string& name : unmatched.missing)
        parts.push_back(inQuotes(name) + " is not in it");
    for (const Misshapen& one : unmatched.misshapen)
        parts.push_back(inQuotes(one.name) + " has the shape " + shapeText(one.there)
            + " there and " + shapeText(one.here) + " here");
    return listFirst(std::move(parts), kMostLacking);
}

std::string listAll(const Unmatched& unmatched)
{
    std::string text;
    for (const std::string& name : unmatched.missing)
        text += "missing\t" + name + "\n";
    for (const Misshapen& one : unmatched.misshapen)
        text += "other shape\t" + one.name + "\t" + shapeText(one.there) + " there\t"
            + shapeText(one.here) + " here\n";
    for (const std::string& name : unmatched.unexpected)
        text += "not used\t" + name + "\n";
    return text;
}

} // namespace kymo::train
