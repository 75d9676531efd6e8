#include "core/settings/layer_keys.h"

#include "core/settings/tree.h"

namespace earwright::settings {

namespace {

bool isBeside(const catalog::ClassInfo& info)
{
    return info.name.starts_with("speechbrain.augment.")
        || (info.role == catalog::Role::Decoder && info.name.ends_with("Searcher"));
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

} // namespace earwright::settings
