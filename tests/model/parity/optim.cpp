#include "tests/model/parity/runners.h"

#include "core/precision/precision.h"
#include "core/train/optim/optimizer.h"

#include <algorithm>
#include <torch/nn/utils/clip_grad.h>

namespace earwright::tests {

namespace {

/// lin2(tanh(norm(lin1(x)))), with a layer that gets no gradient beside it.
struct Net {
    std::vector<std::string> names; ///< in the optimizer's order
    std::map<std::string, torch::Tensor> parameters;

    torch::Tensor forward(const torch::Tensor& x) const
    {
        const torch::Tensor hidden
            = torch::linear(x, parameters.at("lin1.weight"), parameters.at("lin1.bias"));
        const torch::Tensor normed = torch::layer_norm(
            hidden, { hidden.size(-1) }, parameters.at("norm.weight"), parameters.at("norm.bias"));
        return torch::linear(
            torch::tanh(normed), parameters.at("lin2.weight"), parameters.at("lin2.bias"));
    }
};

Net netOf(const Case& test, bool vectorsFirst)
{
    Net net;
    for (const auto& [name, value] : test.under("param")) {
        net.names.push_back(name);
        net.parameters[name] = value.clone().set_requires_grad(true);
    }
    if (vectorsFirst)
        std::stable_partition(net.names.begin(), net.names.end(),
            [&](const auto& name) { return net.parameters[name].dim() == 1; });
    return net;
}

std::vector<torch::Tensor> listOf(const Net& net)
{
    std::vector<torch::Tensor> list;
    for (const std::string& name : net.names)
        list.push_back(net.parameters.at(name));
    return list;
}

/// "40 * mean(…)": the number in front.
double lossFactor(const Case& test)
{
    return std::stod(test.json.at("loss").get<std::string>());
}

/// Upstream's clipping, of the first group alone; where there is but one it is ours.
double stepOnce(torch::optim::Optimizer& optimizer, double maxNorm, precision::Precision& precision)
{
    if (optimizer.param_groups().size() == 1)
        return precision.step(optimizer, maxNorm, false).gradNorm.item<double>();
    const double norm
        = torch::nn::utils::clip_grad_norm_(optimizer.param_groups().front().params(), maxNorm);
    optimizer.step();
    return norm;
}

void compareStep(const Case& test, const Net& net, size_t step, Comparison& compare)
{
    const std::string index = "step" + std::to_string(step) + ".";
    const Tolerance tolerance = test.tolerance("out");
    for (const auto& [name, value] : net.parameters) {
        compare.tensors(
            "out." + index + name, value, test.tensor("out." + index + name), tolerance);
        if (value.grad().defined())
            compare.tensors("grad_clipped." + index + name, value.grad(),
                test.tensor("grad_clipped." + index + name), tolerance);
    }
}

void compareState(
    const Case& test, const Net& net, const torch::optim::Optimizer& optimizer, Comparison& compare)
{
    for (const auto& [key, value] : train::optimizerState(optimizer)) {
        const size_t dot = key.find('.');
        const std::string name
            = "out.optstate." + net.names[std::stoul(key.substr(0, dot))] + key.substr(dot);
        if (test.has(name))
            compare.tensors(name, value, test.tensor(name), test.tolerance("out"));
    }
}

void runOptimizer(const Case& test, Comparison& compare)
{
    const bool vectorsFirst = test.json.at("param_groups").get<std::string>() != "one group";
    const Net net = netOf(test, vectorsFirst);
    const recipe::NodePtr node
        = constructorNode(test.json.at("upstream").get<std::string>(), test.json.at("constructor"));
    std::vector<recipe::Diagnostic> diagnostics;
    const auto optimizer = train::makeOptimizer(*node, listOf(net), diagnostics, vectorsFirst);
    if (!optimizer)
        throw std::runtime_error(diagnostics.front().message);
    precision::Precision precision(precision::Type::Fp32, precision::Type::Fp32, parityDevice());
    const std::vector<Finding> norms = test.finding("grad_norms_before_clip").items();
    const std::vector<Finding> losses = test.finding("losses").items();
    for (size_t step = 0; step < norms.size(); ++step) {
        const std::string index = std::to_string(step);
        optimizer->zero_grad();
        const torch::Tensor error
            = net.forward(test.tensor("in.x" + index)) - test.tensor("in.y" + index);
        const torch::Tensor loss = lossFactor(test) * error.square().mean();
        precision.backward(loss);
        compare.values(
            "loss " + index, loss.item<double>(), losses.at(step).number(), { 1e-6, 1e-5 });
        const double norm
            = stepOnce(*optimizer, test.json.at("max_grad_norm").get<double>(), precision);
        compare.values("norm " + index, norm, norms[step].number(), { 1e-6, 1e-5 });
        compareStep(test, net, step, compare);
    }
    compareState(test, net, *optimizer, compare);
}

} // namespace

Runners optimizerRunners()
{
    Runners runners;
    for (const char* name :
        { "torch.optim.AdamW", "torch.optim.Adam", "torch.optim.Adadelta", "torch.optim.SGD" })
        runners[name] = runOptimizer;
    return runners;
}

} // namespace earwright::tests
