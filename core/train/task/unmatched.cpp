#include "core/train/task/unmatched.h"

#include "core/base/text.h"
#include "core/train/task/counterparts.h"

#include <algorithm>
#include <map>

namespace earwright::train {

namespace {

/// Listed by name of each list; the others are counted.
constexpr size_t kMostListed = 6;
/// Of which the names are counted; the other layers are counted too.
constexpr size_t kMostLayers = 40;
/// Of what keeps a run from its start, which all has to be seen to.
constexpr size_t kMostLacking = 40;

/// `names`, with the nearest of the others, which `verb` names. Those of a layer that the others
/// know nothing of are counted, with the layer that has such names: they are no typing error.
std::string list(const Names& names, Counterparts& others, const std::string& verb)
{
    std::map<std::string, int64_t> counts;
    Names parts;
    for (const std::string& name : names) {
        if (!others.isOfOthers(layerOf(name)) || parts.size() == kMostListed) {
            ++counts[layerOf(name)];
            continue;
        }
        const std::string nearest = others.of(name);
        parts.push_back(
            inQuotes(name) + (nearest.empty() ? "" : " (" + verb + " " + inQuotes(nearest) + ")"));
    }
    size_t rest = counts.size();
    for (const auto& [layer, count] : counts) {
        if (counts.size() - rest == kMostLayers)
            break;
        const std::string twin = others.twinOf(layer);
        parts.push_back(layer + " (" + std::to_string(count)
            + (twin.empty() ? "" : "; " + verb + " such names below " + inQuotes(twin)) + ")");
        --rest;
    }
    return join(parts, ", ") + (rest > 0 ? " and " + std::to_string(rest) + " more layers" : "");
}

/// That names of the recipe are in the file behind a part that comes before all of them, or without
/// one.
std::string describeLeading(const Unmatched& unmatched)
{
    const LeadingPart leading = leadingPart(unmatched.missing, unmatched.unexpected);
    if (!leading.isFound())
        return "";
    const bool areAll = leading.count == unmatched.missing.size();
    return ", but it has " + (areAll ? "all" : std::to_string(leading.count)) + " of them "
        + (leading.isOfOthers ? "below " : "without ") + inQuotes(leading.part)
        + ": save them in a file " + (leading.isOfOthers ? "without" : "with")
        + " that part of their names";
}

std::string shapeText(const std::vector<int64_t>& sizes)
{
    Names parts;
    for (const int64_t size : sizes)
        parts.push_back(std::to_string(size));
    return "[" + join(parts, ", ") + "]";
}

std::string listShapes(const std::vector<Misshapen>& misshapen)
{
    Names parts;
    for (const Misshapen& one : misshapen)
        parts.push_back(inQuotes(one.name) + " (" + shapeText(one.there) + " there, "
            + shapeText(one.here) + " here)");
    return listFirst(std::move(parts), kMostListed);
}

std::string lineOf(const std::string& kind, const std::string& name, Counterparts& others)
{
    const std::string other = others.of(name);
    return kind + "\t" + name + (other.empty() ? "" : "\t" + other) + "\n";
}

} // namespace

std::string describe(const Unmatched& unmatched)
{
    Counterparts inFile(unmatched.missing, unmatched.unexpected);
    Counterparts inRecipe(unmatched.unexpected, unmatched.missing);
    std::string text;
    if (!unmatched.missing.empty())
        text += "; it has none of these, which are drawn: "
            + list(unmatched.missing, inFile, "it has") + describeLeading(unmatched);
    if (!unmatched.misshapen.empty())
        text += "; these have another shape, and are drawn: " + listShapes(unmatched.misshapen);
    if (!unmatched.unexpected.empty())
        text += "; these are not used: " + list(unmatched.unexpected, inRecipe, "the recipe has");
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
    Counterparts inFile(unmatched.missing, unmatched.unexpected);
    Counterparts inRecipe(unmatched.unexpected, unmatched.missing);
    std::string text;
    for (const std::string& name : unmatched.missing)
        text += lineOf("missing", name, inFile);
    for (const Misshapen& one : unmatched.misshapen)
        text += "other shape\t" + one.name + "\t" + shapeText(one.there) + " there\t"
            + shapeText(one.here) + " here\n";
    for (const std::string& name : unmatched.unexpected)
        text += lineOf("not used", name, inRecipe);
    return text;
}

} // namespace earwright::train
