#include "core/settings/layer_keys.h"

#include "core/catalog/argument_value.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::settings {

namespace {

bool isBeside(const catalog::ClassInfo& info)
{
    return info.name.starts_with("speechbrain.augment.")
        || (info.role == catalog::Role::Decoder && info.name.ends_with("Searcher"));
}

/// Features whose filters are learnt.
bool learnsFilters(const recipe::Node& object, const catalog::ClassInfo& info)
{
    const recipe::NodePtr asked = recipe::find(object, "requires_grad");
    return info.role == catalog::Role::Features && asked && recipe::asBool(*asked).value_or(false);
}

/// Sequential(conv: !name:…Conv1d): the container calls it with the shape that reaches it.
bool buildsOwner(const recipe::Node& object, const catalog::ClassInfo& info)
{
    if (info.role != catalog::Role::Container || catalog::lastPart(info.name) == "ModuleList")
        return false;
    const auto isOwner = [](const recipe::NodePtr& node) {
        const catalog::ClassInfo* named = catalog::findClass(recipe::nameClass(*node));
        return named && named->ownsParameters;
    };
    return std::any_of(object.items.begin(), object.items.end(), isOwner)
        || std::any_of(object.entries.begin(), object.entries.end(),
            [&](const recipe::Entry& entry) { return isOwner(entry.value); });
}

} // namespace

const recipe::Entry* findLayerEntry(const recipe::Node& recipe, std::string_view key)
{
    const recipe::NodePtr modules = recipe::find(recipe, "modules");
    const recipe::Entry* moved = modules ? findEntry(*modules, key) : nullptr;
    if (moved && !recipe::isNull(*moved->value) && !isBesideLayers(*moved->value))
        return moved;
    const recipe::Entry* own = findEntry(recipe, key);
    return own && !recipe::isNull(*own->value) ? own : nullptr;
}

recipe::NodePtr findLayer(const recipe::Node& recipe, std::string_view key)
{
    const recipe::Entry* entry = findLayerEntry(recipe, key);
    return entry ? entry->value : nullptr;
}

std::string layerPath(const recipe::Node& recipe, std::string_view key)
{
    const recipe::NodePtr layer = findLayer(recipe, key);
    if (!layer || recipe::find(recipe, key) == layer)
        return layer ? std::string(key) : "";
    for (const recipe::Entry& entry : recipe.entries)
        if (entry.value == layer)
            return entry.key->text;
    return "modules." + std::string(key);
}

recipe::NodePtr inputNormalization(const recipe::Node& recipe)
{
    for (const char* key : kNormalizers)
        if (const recipe::NodePtr layer = findLayer(recipe, key);
            layer && !recipe::newClass(*layer).empty())
            return layer;
    return nullptr;
}

bool isLayerList(const recipe::Node& object)
{
    const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(object));
    return info && info->name == "torch.nn.ModuleList";
}

bool isLayer(const catalog::ClassInfo& info)
{
    using catalog::Role;
    switch (info.role) {
    case Role::Module:
    case Role::Features:
    case Role::Activation:
    case Role::Container:
        return true;
    case Role::Augmentation: // FunASR's are layers
        return !isBeside(info);
    default:
        return false;
    }
}

bool isBesideLayers(const recipe::Node& object)
{
    const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(object));
    return info && isBeside(*info);
}

bool ownsParameters(const recipe::Node& object)
{
    const std::string_view name = recipe::newClass(object);
    if (name.empty() || isBesideLayers(object))
        return false;
    const catalog::ClassInfo* info = catalog::findClass(name);
    return !info || info->ownsParameters || learnsFilters(object, *info)
        || buildsOwner(object, *info);
}

} // namespace earwright::settings
