#include "tests/model/parity/runners.h"

#include "core/catalog/shape.h"
#include "core/model/container.h"
#include "core/model/layer_set.h"
#include "core/model/light_gru.h"
#include "core/model/recurrent.h"

#include <torch/utils.h>

namespace earwright::tests {

namespace {

using Tensors = std::map<std::string, torch::Tensor>;

template <class List>
void copyState(
    const List& items, Tensors stored, const std::vector<std::string>& notStored, const char* kind)
{
    const torch::NoGradGuard noGrad;
    for (const auto& item : items) {
        const bool optional = std::any_of(notStored.begin(), notStored.end(),
            [&](const std::string& name) { return item.key().ends_with(name); });
        const auto found = stored.find(item.key());
        if (found == stored.end() && optional)
            continue;
        TORCH_CHECK(found != stored.end(), "upstream has no ", kind, " '", item.key(), "'");
        TORCH_CHECK(found->second.sizes() == item.value().sizes(), kind, " '", item.key(), "' is ",
            item.value().sizes(), ", upstream's ", found->second.sizes());
        item.value().copy_(found->second);
        stored.erase(found);
    }
    for (const auto& [name, tensor] : stored) {
        const bool optional = std::any_of(notStored.begin(), notStored.end(),
            [&, name = name](const std::string& end) { return name.ends_with(end); });
        TORCH_CHECK(optional, "no ", kind, " '", name, "' as upstream has");
    }
}

recipe::NodePtr nodeOf(const Case& test)
{
    return constructorNode(
        test.json.at("upstream").get<std::string>(), test.json.at("constructor"));
}

std::shared_ptr<model::Layer> buildLayer(const Case& test)
{
    std::vector<recipe::Diagnostic> diagnostics;
    const recipe::NodePtr node = nodeOf(test);
    const std::shared_ptr<model::Layer> layer = model::LayerSet(diagnostics).get(*node);
    TORCH_CHECK(
        layer != nullptr, "not built: ", diagnostics.empty() ? "" : diagnostics.front().message);
    loadState(*layer, test);
    layer->train(test.json.at("mode") == "train");
    return layer;
}

/// The outputs under upstream's names.
Tensors callLayer(model::Layer& layer, const Case& test, const torch::Tensor& x)
{
    const torch::Tensor lengths
        = test.has("in.lengths") ? test.tensor("in.lengths") : torch::Tensor();
    if (auto* recurrent = dynamic_cast<model::Recurrent*>(&layer)) {
        const model::RecurrentOutput result = recurrent->forwardWithState(x, lengths);
        Tensors outputs { { "y", result.output }, { "h", result.hidden } };
        if (result.cell.defined())
            outputs["c"] = result.cell;
        return outputs;
    }
    if (auto* light = dynamic_cast<model::LightGru*>(&layer)) {
        const model::LightGru::Output result = light->forwardWithState(x);
        return { { "y", result.output }, { "h", result.hidden } };
    }
    return { { "y", layer.forward(x, lengths) } };
}

/// Outputs of the children, where the case has them: they tell which part differs.
void compareChildren(model::Layer& layer, const Case& test, torch::Tensor x, Comparison& compare)
{
    const auto* sequence = dynamic_cast<model::Sequential*>(&layer);
    if (sequence == nullptr || test.under("out.mid").empty())
        return;
    const torch::NoGradGuard noGrad;
    for (const model::Sequential::Entry& entry : sequence->entries()) {
        x = entry.layer->forward(x);
        if (test.has("out.mid." + entry.name))
            compare.tensors("mid." + entry.name, x, test.tensor("out.mid." + entry.name),
                test.tolerance("out"));
    }
}

/// What the catalogue says of the layer's sizes, against upstream's own.
void compareShapeRule(const Case& test, Comparison& compare)
{
    const auto frameOf = [&](const char* name) {
        const std::vector<int64_t> sizes = test.tensor(name).sizes().vec();
        return catalog::FrameShape(
            sizes.begin() + std::min<ptrdiff_t>(2, std::ssize(sizes)), sizes.end());
    };
    if (test.tensor("in.x").dim() < 3 || !test.has("out.y"))
        return;
    const catalog::FrameRule rule = catalog::frameRule(nodeOf(test), frameOf("in.x"));
    compare.check("shape rule: taken", rule.taken == 0 || rule.taken == rule.arriving);
    compare.check("shape rule: given", rule.given.empty() || rule.given == frameOf("out.y"));
}

/// What has no gradient stands still, as if it were zero.
torch::Tensor gradientOf(const torch::Tensor& variable)
{
    return variable.grad().defined() ? variable.grad() : torch::zeros_like(variable);
}

void compareGradients(
    const Case& test, torch::nn::Module* module, const Tensors& inputs, Comparison& compare)
{
    const auto parameters = module != nullptr ? module->named_parameters()
                                              : torch::OrderedDict<std::string, torch::Tensor>();
    for (const auto& [name, recorded] : test.under("grad")) {
        const torch::Tensor& variable
            = name.starts_with("in.") ? inputs.at(name.substr(3)) : parameters[name];
        compare.tensors("grad." + name, gradientOf(variable), test.tensor("grad." + name),
            test.tolerance("grad"));
    }
    for (const Finding& name : test.finding("params_without_grad").items()) {
        const torch::Tensor gradient = gradientOf(parameters[name.as<std::string>()]);
        compare.check("no gradient of " + name.as<std::string>(), !gradient.any().item<bool>());
    }
}

/// Those that the call did not change too.
void compareBuffers(const Case& test, const torch::nn::Module& module, Comparison& compare)
{
    const auto buffers = module.named_buffers();
    for (const auto& [name, before] : test.under("buffer")) {
        const std::string after = "buffer_after." + name;
        compare.tensors(after, buffers[name], test.has(after) ? test.tensor(after) : before,
            test.tolerance("out"));
    }
}

} // namespace

void loadState(
    torch::nn::Module& module, const Case& test, const std::vector<std::string>& notStored)
{
    module.to(parityDevice());
    copyState(module.named_parameters(), test.under("param"), notStored, "parameter");
    copyState(module.named_buffers(), test.under("buffer"), notStored, "buffer");
}

void compareCall(const Case& test, const Tensors& outputs, torch::nn::Module* module,
    const Tensors& inputs, Comparison& compare)
{
    const Tolerance tolerance = test.tolerance("out");
    for (const auto& [name, output] : outputs)
        compare.tensors("out." + name, output, test.tensor("out." + name), tolerance);
    torch::Tensor loss = torch::zeros({});
    double terms = 0; // of whose rounding the sum is, however small it is itself
    for (const auto& [name, recorded] : test.under("lossw")) {
        loss = loss + (outputs.at(name) * test.tensor("lossw." + name)).sum();
        terms += (test.tensor("out." + name) * test.tensor("lossw." + name))
                     .abs()
                     .sum()
                     .item<double>();
    }
    compare.tensors(
        "loss", loss, test.tensor("loss"), { tolerance.absolute + tolerance.relative * terms, 0 });
    if (loss.requires_grad())
        loss.backward();
    if (at::GradMode::is_enabled())
        compareGradients(test, module, inputs, compare);
    if (module != nullptr)
        compareBuffers(test, *module, compare);
}

void runLayer(const Case& test, Comparison& compare)
{
    compareShapeRule(test, compare);
    const std::shared_ptr<model::Layer> layer = buildLayer(test);
    const torch::Tensor x = test.tensor("in.x").clone().set_requires_grad(true);
    compareCall(test, callLayer(*layer, test, x), layer.get(), { { "x", x } }, compare);
    loadState(*layer, test);
    compareChildren(*layer, test, x, compare);
}

Runners layerRunners()
{
    Runners runners;
    for (const char* name : { "speechbrain.nnet.linear.Linear",
             "speechbrain.nnet.activations.Softmax", "speechbrain.nnet.CNN.Conv1d",
             "speechbrain.nnet.CNN.Conv2d", "speechbrain.nnet.normalization.BatchNorm1d",
             "speechbrain.nnet.normalization.BatchNorm2d",
             "speechbrain.nnet.normalization.LayerNorm", "speechbrain.nnet.pooling.Pooling1d",
             "speechbrain.nnet.pooling.Pooling2d", "speechbrain.nnet.RNN.LSTM",
             "speechbrain.nnet.RNN.GRU", "speechbrain.nnet.RNN.RNN", "speechbrain.nnet.RNN.LiGRU",
             "speechbrain.lobes.models.VanillaNN.VanillaNN", "speechbrain.lobes.models.CRDNN.CRDNN",
             "speechbrain.lobes.models.convolution.ConvolutionFrontEnd" })
        runners[name] = runLayer;
    return runners;
}

} // namespace earwright::tests
