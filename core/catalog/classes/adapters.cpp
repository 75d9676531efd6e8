// Adapters: small layers that are trained in front of or behind frozen ones.

#include "core/catalog/configs/adapters.h"
#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/class_table.h"
#include "core/catalog/given.h"
#include "core/catalog/read_impl.h"

#include <algorithm>

namespace earwright::catalog {

namespace {

using recipe::Diagnostic;
using recipe::Node;
using recipe::NodePtr;

using Diagnostics = std::vector<Diagnostic>;

constexpr std::string_view kWrappers = "speechbrain.integrations.huggingface.";

void refuse(Diagnostics& found, const char* rule, std::string message, const Node& at)
{
    found.push_back({ recipe::Severity::Error, rule, std::move(message), at.span, std::nullopt });
}

std::string adapterClassOf(const AdaptedModelConfig& config)
{
    const ClassInfo* info
        = config.adapterClass ? findClass(recipe::nameClass(*config.adapterClass)) : nullptr;
    return info ? info->name : "";
}

void checkClass(const NodePtr& given, const std::string& name, Diagnostics& found)
{
    if (name != kLora && name != kHoulsbyAdapter)
        refuse(found, "argument-type",
            std::string("'adapter_class' of AdaptedModel must be !name:") + kLora
                + " or !name:" + kHoulsbyAdapter + ", not " + describe(*given),
            *given);
}

/// What only AdaptedModel can give.
void checkTarget(const Node& adapter, const char* target, Diagnostics& found)
{
    if (const NodePtr given = recipe::find(adapter, target))
        refuse(found, "unknown-argument",
            inQuotes(target) + " is given by AdaptedModel for each layer: leave it out", *given);
}

void checkArguments(const AdaptedModelConfig& config, const std::string& name, Diagnostics& found)
{
    const Node adapter = adapterNode(config);
    if (name == kLora) {
        readConfig<LoraAdapterConfig>(adapter, found);
        checkTarget(adapter, "target_module", found);
        return;
    }
    readConfig<HoulsbyAdapterConfig>(adapter, found);
    checkTarget(adapter, "target_linear", found);
    if (!recipe::find(adapter, "projection_size"))
        refuse(found, "missing-argument",
            "HoulsbyAdapterLinear needs the argument 'projection_size': write it in "
            "'adapter_kwargs' of AdaptedModel",
            *config.adapterClass);
}

/// A text alone would be taken for the list of its letters by upstream.
void checkNames(const char* argument, const NodePtr& names, Diagnostics& found)
{
    if (!names || isUndetermined(*names))
        return;
    const bool areTexts = names->kind == recipe::Kind::Sequence
        && std::all_of(names->items.begin(), names->items.end(), [](const NodePtr& name) {
               return isUndetermined(*name) || (isValue(*name) && !recipe::isNull(*name));
           });
    if (!areTexts)
        refuse(found, "argument-type",
            inQuotes(argument)
                + " of AdaptedModel must be a list of names, such as [\"*.q_proj\"], not "
                + describe(*names),
            *names);
}

/// Upstream computes a frozen model of transformers without gradients.
void checkModel(const Node& model, Diagnostics& found)
{
    const ClassInfo* info = findClass(recipe::newClass(model));
    if (!info || !info->name.starts_with(kWrappers) || !Given(model).flag("freeze"))
        return;
    const NodePtr freeze = recipe::find(model, "freeze");
    refuse(found, "argument-range",
        "'freeze' of " + lastPart(info->name)
            + " must be False where an AdaptedModel adapts it: with True it passes no gradients "
              "on, and its adapters would learn nothing. AdaptedModel itself freezes all else",
        freeze ? *freeze : model);
}

} // namespace

void checkAdapter(const AdaptedModelConfig& config, Diagnostics& found)
{
    checkNames("target_layers", config.targetLayers, found);
    checkNames("unfrozen_layers", config.unfrozenLayers, found);
    if (config.modelToAdapt)
        checkModel(*config.modelToAdapt, found);
    const NodePtr& kwargs = config.adapterKwargs;
    if (!config.adapterClass || (kwargs && isUndetermined(*kwargs)))
        return;
    const std::string name = adapterClassOf(config);
    checkClass(config.adapterClass, name, found);
    if (kwargs && kwargs->kind != recipe::Kind::Mapping)
        refuse(found, "argument-type",
            "'adapter_kwargs' of AdaptedModel must be a mapping, such as {rank: 16}, not "
                + describe(*kwargs),
            *kwargs);
    else if (name == kLora || name == kHoulsbyAdapter)
        checkArguments(config, name, found);
}

Node adapterNode(const AdaptedModelConfig& config)
{
    Node adapter = *config.adapterClass;
    adapter.kind = recipe::Kind::Mapping;
    for (const recipe::Entry& entry :
        config.adapterKwargs ? config.adapterKwargs->entries : std::vector<recipe::Entry>()) {
        std::erase_if(adapter.entries,
            [&](const recipe::Entry& own) { return own.key->text == entry.key->text; });
        adapter.entries.push_back(entry);
    }
    return adapter;
}

std::vector<std::string> layerNames(const NodePtr& names)
{
    std::vector<std::string> texts;
    for (const NodePtr& name : names ? names->items : std::vector<NodePtr>())
        texts.push_back(name->text);
    return texts;
}

void addAdapters(ClassTable& table)
{
    ClassInfo info = infoOf<AdaptedModelConfig>(kAdaptedModel, Role::Module, kParameters);
    info.checkArguments = [](const Node& node, Diagnostics& found) {
        checkAdapter(readConfig<AdaptedModelConfig>(node, found), found);
    };
    table.emplace(kAdaptedModel, std::move(info));
    // No layers of a recipe: AdaptedModel makes them.
    add<LoraAdapterConfig>(table, kLora, Role::Utility, kParameters);
    add<HoulsbyAdapterConfig>(table, kHoulsbyAdapter, Role::Utility, kParameters);
}

EARWRIGHT_READ(AdaptedModelConfig)
EARWRIGHT_READ(LoraAdapterConfig)
EARWRIGHT_READ(HoulsbyAdapterConfig)

} // namespace earwright::catalog
