#include "core/model/activation.h"

#include "core/catalog/configs/activation.h"
#include "core/model/register.h"

namespace earwright::model {

namespace {

using Build = LayerTable::Build;

template <class Config>
Build row(Activation::Function (*function)(const Config&))
{
    return [function](const recipe::Node& node, LayerSet& layers) {
        const auto config = catalog::readConfig<Config>(node, layers.diagnostics());
        return std::shared_ptr<Layer>(std::make_shared<Activation>(function(config)));
    };
}

Activation::Function relu(const catalog::ReluConfig&)
{
    return [](const torch::Tensor& x) { return torch::relu(x); };
}

Activation::Function silu(const catalog::ReluConfig&)
{
    return [](const torch::Tensor& x) { return torch::silu(x); };
}

Activation::Function leakyRelu(const catalog::LeakyReluConfig& config)
{
    return [slope = config.negativeSlope](
               const torch::Tensor& x) { return torch::leaky_relu(x, slope); };
}

Activation::Function gelu(const catalog::GeluConfig& config)
{
    return [approximate = config.approximate](
               const torch::Tensor& x) { return torch::gelu(x, approximate); };
}

Activation::Function swish(const catalog::SwishConfig& config)
{
    if (config.beta == 1.0)
        return [](const torch::Tensor& x) { return torch::silu(x); };
    // Upstream scales its input: the output is beta times the paper's x * sigmoid(beta * x).
    return [beta = config.beta](const torch::Tensor& x) { return torch::silu(beta * x); };
}

Activation::Function tanh(const catalog::NoArgumentsConfig&)
{
    return [](const torch::Tensor& x) { return torch::tanh(x); };
}

Activation::Function sigmoid(const catalog::NoArgumentsConfig&)
{
    return [](const torch::Tensor& x) { return torch::sigmoid(x); };
}

Activation::Function identity(const catalog::IdentityConfig&)
{
    return [](const torch::Tensor& x) { return x; };
}

LayerTable buildActivations()
{
    LayerTable table;
    table.add("torch.nn.ReLU", row(relu));
    table.add("torch.nn.SiLU", row(silu));
    table.add("torch.nn.LeakyReLU", row(leakyRelu));
    table.add("torch.nn.GELU", row(gelu));
    table.add("torch.nn.Tanh", row(tanh));
    table.add("torch.nn.Sigmoid", row(sigmoid));
    table.add("torch.nn.Identity", row(identity));
    table.add("speechbrain.nnet.activations.Swish", row(swish));
    return table;
}

const LayerTable& activations()
{
    static const LayerTable table = buildActivations();
    return table;
}

const recipe::Node& withoutArguments()
{
    static const recipe::Node node = [] {
        recipe::Node mapping;
        mapping.kind = recipe::Kind::Mapping;
        return mapping;
    }();
    return node;
}

} // namespace

void addActivations(LayerTable& table)
{
    table.addAll(activations());
}

std::shared_ptr<Layer> makeActivation(const recipe::NodePtr& node, std::string_view fallback)
{
    const std::string className = classOf(node, fallback);
    const Build* build = activations().find(className);
    TORCH_CHECK(build != nullptr, "'", className, "' is not an activation that Earwright knows");
    std::vector<recipe::Diagnostic> diagnostics;
    LayerSet layers(diagnostics);
    std::shared_ptr<Layer> layer = (*build)(node ? *node : withoutArguments(), layers);
    TORCH_CHECK(!recipe::hasErrors(diagnostics), diagnostics.front().message);
    return layer;
}

} // namespace earwright::model
