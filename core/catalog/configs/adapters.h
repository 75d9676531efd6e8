#pragma once

#include "core/catalog/field.h"
#include "core/recipe/diagnostic.h"

namespace earwright::catalog {

/// speechbrain.nnet.adapters.AdaptedModel
struct AdaptedModelConfig {
    recipe::NodePtr modelToAdapt;
    recipe::NodePtr adapterClass;
    bool allLinear = false;
    bool allConv = false;
    recipe::NodePtr targetLayers;
    recipe::NodePtr unfrozenLayers;
    recipe::NodePtr adapterKwargs;
    bool manualAdapterInsertion = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("model_to_adapt", modelToAdapt,
            { .help = "the layer that is given adapters; all else of it is frozen",
                .required = true });
        field("adapter_class", adapterClass,
            { .help = "!name: of LoRA or HoulsbyAdapterLinear", .required = true });
        field("all_linear", allLinear, { .help = "adapters for all linear layers" });
        field("all_conv", allConv,
            { .help = "adapters are for linear layers; name these by target_layers or all_linear",
                .isFixed = true });
        field("target_layers", targetLayers,
            { .help = "names of layers that are given adapters, with wildcards * ? [abc]" });
        field("unfrozen_layers", unfrozenLayers,
            { .help = "names of layers that are trained as they are, with wildcards * ? [abc]" });
        field("adapter_kwargs", adapterKwargs, { .help = "arguments of adapter_class" });
        field("manual_adapter_insertion", manualAdapterInsertion,
            { .help = "adapters come with the model, and init_param fills what they adapt",
                .isFixed = true });
    }
};

/// speechbrain.nnet.adapters.LoRA
struct LoraAdapterConfig {
    recipe::NodePtr targetModule;
    int64_t rank = 16;
    double alpha = 1.0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("target_module", targetModule,
            { .help = "the linear layer, which AdaptedModel gives it", .required = true });
        field("rank", rank, { .min = 1, .help = "width between its two layers" });
        field("alpha", alpha, { .help = "what it adds is multiplied by alpha / rank" });
    }
};

/// speechbrain.nnet.adapters.HoulsbyAdapterLinear
struct HoulsbyAdapterConfig {
    recipe::NodePtr targetLinear;
    int64_t projectionSize = 0;
    recipe::NodePtr activation;
    bool bias = true;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("target_linear", targetLinear,
            { .help = "the linear layer, which AdaptedModel gives it", .required = true });
        field("projection_size", projectionSize,
            { .min = 1, .help = "width between its two layers", .required = true });
        field("activation", activation,
            { .help = "class; speechbrain.nnet.activations.Swish if not given" });
        field("bias", bias);
    }
};

inline constexpr const char* kAdaptedModel = "speechbrain.nnet.adapters.AdaptedModel";
inline constexpr const char* kLora = "speechbrain.nnet.adapters.LoRA";
inline constexpr const char* kHoulsbyAdapter = "speechbrain.nnet.adapters.HoulsbyAdapterLinear";

/// What is wrong with the adapter of an AdaptedModel, with its names and with what it adapts.
void checkAdapter(const AdaptedModelConfig& config, std::vector<recipe::Diagnostic>& found);

/// `adapter_class` with what it and `adapter_kwargs` give: a `!name:` node. Of one that
/// checkAdapter() lets pass.
recipe::Node adapterNode(const AdaptedModelConfig& config);

/// `target_layers` or `unfrozen_layers`: none where they are not given.
std::vector<std::string> layerNames(const recipe::NodePtr& names);

} // namespace earwright::catalog
