#include "tests/model/parity/runners.h"

#include "core/model/adapters/lora_layers.h"
#include "core/model/layer_set.h"
#include "core/recipe/resolve.h"

#include <set>
#include <torch/utils.h>

namespace earwright::tests {

namespace {

constexpr const char* kAdapters = "speechbrain.nnet.adapters.";

/// The cases' model, which is in no recipe.
constexpr const char* kAdaptedNet = R"(net: !new:speechbrain.nnet.containers.Sequential
    enc: !new:speechbrain.nnet.containers.Sequential
        - !new:torch.nn.Linear {in_features: 6, out_features: 8}
        - !new:torch.nn.GELU
        - !new:torch.nn.Linear {in_features: 8, out_features: 6}
    out: !new:torch.nn.Linear {in_features: 6, out_features: 5}
)";

const std::set<std::string> kOfAdaptedModel { "all_linear", "target_layers", "unfrozen_layers" };

/// YAML takes JSON's texts, numbers and lists; its true and false are upstream's too.
std::string adaptedRecipe(const Case& test)
{
    std::string own;
    std::string kwargs;
    for (const auto& [key, value] : test.json.at("constructor").items()) {
        if (kOfAdaptedModel.contains(key))
            own += "    " + key + ": " + value.dump() + "\n";
        else
            kwargs += "        " + key + ": " + value.dump() + "\n";
    }
    return std::string(kAdaptedNet) + "x: !new:" + kAdapters
        + "AdaptedModel\n    model_to_adapt: !ref <net>\n    adapter_class: !name:"
        + test.json.at("upstream").get<std::string>() + "\n" + own + "    adapter_kwargs:\n"
        + kwargs;
}

void compareFrozen(const torch::nn::Module& module, const Case& test, Comparison& compare)
{
    std::set<std::string> frozen;
    for (const auto& parameter : module.named_parameters())
        if (!parameter.value().requires_grad())
            frozen.insert(parameter.key());
    const Json expected = test.json.at("frozen_params");
    compare.check(
        "what is frozen", frozen == std::set<std::string>(expected.begin(), expected.end()));
}

void runAdapter(const Case& test, Comparison& compare)
{
    const recipe::Resolved resolved = recipe::resolve(adaptedRecipe(test), "adapted.yaml", {});
    std::vector<recipe::Diagnostic> diagnostics;
    const auto model = model::LayerSet(diagnostics).get(*recipe::find(*resolved.root, "x"));
    TORCH_CHECK(model, diagnostics.empty() ? "not built" : diagnostics.front().message);
    compareFrozen(*model, test, compare);
    loadState(*model, test);
    model->train(test.json.at("mode") == "train");
    const torch::Tensor x = test.tensor("in.x").clone().requires_grad_();
    compareCall(test, { { "y", model->forward(x) } }, model.get(), { { "x", x } }, compare);
}

int64_t sizeAt(const Json& arguments, const char* name)
{
    return arguments.at(name).get<int64_t>();
}

/// Upstream's defaults where a case leaves one out.
model::LoraSize loraSize(const Json& arguments)
{
    return { .rank = sizeAt(arguments, "r"),
        .alpha = arguments.value("lora_alpha", 1.0),
        .dropout = arguments.value("lora_dropout", 0.0) };
}

/// One of FunASR's low-rank layers.
template <class Layer>
void runLora(
    const std::shared_ptr<Layer>& layer, const Case& test, bool isOfTokens, Comparison& compare)
{
    compareFrozen(*layer, test, compare);
    loadState(*layer, test);
    layer->train(test.json.at("mode") == "train");
    if (isOfTokens)
        return compareCall(
            test, { { "y", layer->forward(test.tensor("in.x")) } }, layer.get(), {}, compare);
    const torch::Tensor x = test.tensor("in.x").clone().requires_grad_();
    compareCall(test, { { "y", layer->forward(x) } }, layer.get(), { { "x", x } }, compare);
}

void runLoraLinear(const Case& test, Comparison& compare)
{
    const Json& arguments = test.json.at("constructor");
    runLora(std::make_shared<model::LoraLinear>(sizeAt(arguments, "in_features"),
                sizeAt(arguments, "out_features"), loraSize(arguments)),
        test, false, compare);
}

void runLoraMerged(const Case& test, Comparison& compare)
{
    const Json& arguments = test.json.at("constructor");
    runLora(std::make_shared<model::LoraMergedLinear>(sizeAt(arguments, "in_features"),
                sizeAt(arguments, "out_features"),
                arguments.at("enable_lora").get<std::vector<bool>>(), loraSize(arguments)),
        test, false, compare);
}

void runLoraEmbedding(const Case& test, Comparison& compare)
{
    const Json& arguments = test.json.at("constructor");
    runLora(std::make_shared<model::LoraEmbedding>(sizeAt(arguments, "num_embeddings"),
                sizeAt(arguments, "embedding_dim"), loraSize(arguments)),
        test, true, compare);
}

} // namespace

Runners adapterRunners()
{
    constexpr const char* kFunasrLora = "funasr.models.lora.layers.";
    return { { std::string(kAdapters) + "LoRA", runAdapter },
        { std::string(kAdapters) + "HoulsbyAdapterLinear", runAdapter },
        { std::string(kFunasrLora) + "Linear", runLoraLinear },
        { std::string(kFunasrLora) + "MergedLinear", runLoraMerged },
        { std::string(kFunasrLora) + "Embedding", runLoraEmbedding } };
}

} // namespace earwright::tests
