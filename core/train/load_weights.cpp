#include "core/train/load_weights.h"

#include "core/base/text.h"
#include "core/train/recipe_keys.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace kymo::train {

namespace {

using Names = std::vector<std::string>;

/// Listed by name of each list; the others are counted.
constexpr size_t kMostListed = 6;

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

std::string shapeText(const torch::Tensor& tensor)
{
    std::ostringstream text;
    text << tensor.sizes();
    return text.str();
}

Error notFitting(const std::string& what, const std::string& name, const std::string& why)
{
    return Error { what + " does not fit the recipe: " + inQuotes(name) + " " + why
        + "; was the recipe changed since?" };
}

/// What is left of a file, without statistics of a normalisation that keeps none.
Names unexpectedOf(const std::map<std::string, torch::Tensor>& left)
{
    Names names;
    for (const auto& [name, tensor] : left) {
        if (!name.starts_with(kNormalizeState))
            names.push_back(name);
    }
    return names;
}

} // namespace

std::string describe(const Unmatched& unmatched)
{
    std::string text;
    if (!unmatched.missing.empty())
        text += "; it has none of these, which are drawn: "
            + list(unmatched.missing, unmatched.unexpected, "it has");
    if (!unmatched.unexpected.empty())
        text += "; these are not used: "
            + list(unmatched.unexpected, unmatched.missing, "the recipe has");
    return text;
}

Status loadWeights(Task& task, std::map<std::string, torch::Tensor> stored, const std::string& what,
    Unmatched* unmatched)
{
    const torch::NoGradGuard noGrad;
    for (const auto& list : { task.modules().weights(), task.modules().buffers() }) {
        for (const auto& [name, tensor] : list) {
            const auto found = stored.find(name);
            if (found == stored.end()) {
                if (unmatched == nullptr)
                    return notFitting(what, name, "is not in it");
                unmatched->missing.push_back(name);
                continue;
            }
            if (found->second.sizes() != tensor.sizes())
                return notFitting(what, name,
                    "has the shape " + shapeText(found->second) + " there and " + shapeText(tensor)
                        + " here");
            tensor.detach().copy_(found->second);
            stored.erase(found);
        }
    }
    task.restoreExtraState(stored);
    if (unmatched != nullptr)
        unmatched->unexpected = unexpectedOf(stored);
    return Done {};
}

} // namespace kymo::train
