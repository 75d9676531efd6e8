#include "core/settings/pretrainer.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/settings/layer_keys.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::settings {

using recipe::Node;
using recipe::NodePtr;

namespace {

NodeSet layersUnder(const Node& root, const Names& keys)
{
    NodeSet all;
    for (const std::string& key : keys)
        all.merge(reachableFrom(findLayer(root, key)));
    return all;
}

/// An object that is one of the layers, or a list of some.
bool isOf(const NodeSet& layers, const Node& object)
{
    if (recipe::newClass(object).empty())
        return false;
    if (!isLayerList(object))
        return layers.contains(&object);
    const std::vector<NodePtr> listed
        = object.items.empty() ? std::vector<NodePtr>() : object.items.front()->items;
    return std::any_of(listed.begin(), listed.end(),
        [&](const NodePtr& layer) { return layers.contains(layer.get()); });
}

/// What upstream obeys and Earwright does not.
std::string notObeyed(const Node& pretrainer, const std::string& name)
{
    for (const char* argument : { "custom_hooks", "conditions" })
        if (const NodePtr given = recipe::find(pretrainer, argument);
            given && recipe::find(*given, name))
            return inQuotes(argument) + " of 'pretrainer' has " + inQuotes(name)
                + ", which Earwright loads from its file in any case: take it out there";
    return "";
}

LoadedLayer loadedFrom(const Node& pretrainer, const recipe::Entry& loadable)
{
    const std::string& name = loadable.key->text;
    LoadedLayer layer { .name = name,
        .object = loadable.value,
        .path = {},
        .problem = notObeyed(pretrainer, name),
        .place = loadable.key->span };
    const NodePtr paths = recipe::find(pretrainer, "paths");
    const NodePtr path = paths ? recipe::find(*paths, name) : nullptr;
    if (!layer.problem.empty())
        return layer;
    if (!path || recipe::isNull(*path)) {
        layer.problem = "'paths' of 'pretrainer' has no " + inQuotes(name)
            + ", the file that it is loaded from";
        return layer;
    }
    layer.path = catalog::isUndetermined(*path) ? "" : recipe::asString(*path);
    layer.place = path->span;
    return layer;
}

} // namespace

NodePtr pretrainerOf(const Node& root)
{
    for (const recipe::Entry& entry : root.entries)
        if (catalog::lastPart(recipe::newClass(*entry.value)) == "Pretrainer")
            return entry.value;
    return nullptr;
}

std::vector<LoadedLayer> loadedLayers(const Node& root, const Names& layerKeys)
{
    const NodePtr pretrainer = pretrainerOf(root);
    const NodePtr loadables = pretrainer ? recipe::find(*pretrainer, "loadables") : nullptr;
    const NodePtr folder = recipe::find(root, "pt_model_path");
    if (!loadables || (folder && recipe::isNull(*folder)))
        return {};
    const NodeSet layers = layersUnder(root, layerKeys);
    std::vector<LoadedLayer> loaded;
    for (const recipe::Entry& entry : loadables->entries)
        if (isOf(layers, *entry.value))
            loaded.push_back(loadedFrom(*pretrainer, entry));
    return loaded;
}

} // namespace earwright::settings
