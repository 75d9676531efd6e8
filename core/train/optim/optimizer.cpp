#include "core/train/optim/optimizer.h"

#include "core/base/keys.h"
#include "core/catalog/read.h"
#include "core/train/optim/class_name.h"
#include "core/train/optim/optimizers.h"

#include <algorithm>
#include <map>
#include <torch/utils.h>

namespace earwright::train {

namespace {

using Groups = std::vector<torch::optim::OptimizerParamGroup>;
using TensorList = std::vector<torch::Tensor>;
using MadeOptimizer = std::unique_ptr<torch::optim::Optimizer>;

/// What an optimizer is to learn.
struct Parameters {
    const std::vector<ParameterGroup>& groups;
    bool removeVectorWeightDecay;
};

void addGroup(Groups& groups, const TensorList& parameters, const GroupOptions& options)
{
    if (!parameters.empty())
        groups.emplace_back(parameters, std::make_unique<GroupOptions>(options));
}

/// Vectors, where they have no weight decay, and others.
std::pair<TensorList, TensorList> splitVectors(
    const TensorList& parameters, bool removeVectorWeightDecay)
{
    std::pair<TensorList, TensorList> result;
    for (const torch::Tensor& parameter : parameters)
        (removeVectorWeightDecay && parameter.dim() == 1 ? result.first : result.second)
            .push_back(parameter);
    return result;
}

template <class Config>
Groups groupsOf(const Parameters& parameters, const Config& config)
{
    Groups groups;
    for (const ParameterGroup& group : parameters.groups) {
        TORCH_CHECK(!group.lr || config.lr > 0,
            "a group with an lr of its own needs an optimizer whose lr is above 0");
        GroupOptions options;
        options.learningRate = config.lr;
        options.rateFactor = group.lr ? *group.lr / config.lr : 1;
        const auto [vectors, others]
            = splitVectors(group.parameters, parameters.removeVectorWeightDecay);
        addGroup(groups, vectors, options);
        options.weightDecay = config.weightDecay;
        addGroup(groups, others, options);
    }
    return groups;
}

catalog::AdamConfig asAdam(const catalog::AdamWConfig& config)
{
    catalog::AdamConfig adam;
    adam.lr = config.lr;
    adam.betas = config.betas;
    adam.eps = config.eps;
    adam.weightDecay = config.weightDecay;
    adam.amsgrad = config.amsgrad;
    adam.maximize = config.maximize;
    adam.decoupledWeightDecay = true;
    return adam;
}

MadeOptimizer make(const Parameters& parameters, const catalog::AdamConfig& config)
{
    TORCH_CHECK(config.betas.size() == 2, "betas are two numbers, such as (0.9, 0.999)");
    return std::make_unique<FusedAdam>(groupsOf(parameters, config), config);
}

MadeOptimizer make(const Parameters& parameters, const catalog::AdamWConfig& config)
{
    return make(parameters, asAdam(config));
}

MadeOptimizer make(const Parameters& parameters, const catalog::AdadeltaConfig& config)
{
    return std::make_unique<ListAdadelta>(groupsOf(parameters, config), config);
}

MadeOptimizer make(const Parameters& parameters, const catalog::SgdConfig& config)
{
    return std::make_unique<FusedSgd>(groupsOf(parameters, config), config);
}

template <class Config>
MadeOptimizer read(const recipe::Node& node, const Parameters& parameters, Diagnostics& diagnostics)
{
    Diagnostics found;
    const auto config = catalog::readConfig<Config>(node, found);
    diagnostics.insert(diagnostics.end(), found.begin(), found.end());
    return recipe::hasErrors(found) ? nullptr : make(parameters, config);
}

using Read = MadeOptimizer (*)(const recipe::Node&, const Parameters&, Diagnostics&);

const std::map<std::string, Read>& optimizers()
{
    static const std::map<std::string, Read> kTable = {
        { "torch.optim.Adam", read<catalog::AdamConfig> },
        { "torch.optim.AdamW", read<catalog::AdamWConfig> },
        { "torch.optim.Adadelta", read<catalog::AdadeltaConfig> },
        { "torch.optim.SGD", read<catalog::SgdConfig> },
    };
    return kTable;
}

void report(
    Diagnostics& diagnostics, const char* rule, std::string message, const recipe::Node& node)
{
    diagnostics.push_back({ recipe::Severity::Error, rule, std::move(message), node.span, {} });
}

const ListOptimizer& listOptimizer(const torch::optim::Optimizer& optimizer)
{
    const auto* list = dynamic_cast<const ListOptimizer*>(&optimizer);
    TORCH_CHECK(list != nullptr,
        "the state of an optimizer that makeOptimizer() did not make cannot be saved");
    return *list;
}

} // namespace

std::vector<std::string> optimizerClasses()
{
    return keysOf(optimizers());
}

std::unique_ptr<torch::optim::Optimizer> makeOptimizer(const recipe::Node& optClass,
    std::vector<torch::Tensor> parameters, std::vector<recipe::Diagnostic>& diagnostics,
    bool removeVectorWeightDecay)
{
    const std::vector<ParameterGroup> one { { std::move(parameters) } };
    return makeOptimizer(optClass, one, diagnostics, removeVectorWeightDecay);
}

std::unique_ptr<torch::optim::Optimizer> makeOptimizer(const recipe::Node& optClass,
    const std::vector<ParameterGroup>& groups, std::vector<recipe::Diagnostic>& diagnostics,
    bool removeVectorWeightDecay)
{
    const auto found = optimizers().find(className(optClass));
    if (found == optimizers().end()) {
        report(diagnostics, "unknown-optimizer",
            std::string("'").append(className(optClass))
                + "' is not an optimizer that Earwright has: use torch.optim.AdamW, Adam, "
                  "Adadelta or SGD",
            optClass);
        return nullptr;
    }
    try {
        return found->second(optClass, { groups, removeVectorWeightDecay }, diagnostics);
    } catch (const c10::Error& error) {
        report(diagnostics, "argument-type", error.what_without_backtrace(), optClass);
        return nullptr;
    }
}

void setLearningRate(torch::optim::Optimizer& optimizer, double learningRate)
{
    for (auto& group : optimizer.param_groups())
        group.options().set_lr(learningRate);
}

double learningRate(const torch::optim::Optimizer& optimizer)
{
    return optimizer.param_groups().front().options().get_lr();
}

std::vector<std::pair<std::string, torch::Tensor>> optimizerState(
    const torch::optim::Optimizer& optimizer)
{
    auto state = listOptimizer(optimizer).namedState();
    for (auto& [name, tensor] : state)
        tensor = tensor.clone();
    return state;
}

void restoreOptimizerState(torch::optim::Optimizer& optimizer,
    const std::vector<std::pair<std::string, torch::Tensor>>& state)
{
    const torch::NoGradGuard noGrad;
    const std::map<std::string, torch::Tensor> saved(state.begin(), state.end());
    for (auto& [name, tensor] : listOptimizer(optimizer).namedState()) {
        const auto found = saved.find(name);
        TORCH_CHECK(found != saved.end(), "the saved optimizer state has no '", name,
            "': it belongs to another optimizer or model");
        TORCH_CHECK(found->second.sizes() == tensor.sizes(), "the saved optimizer state '", name,
            "' has shape ", found->second.sizes(), ", this model needs ", tensor.sizes());
        torch::Tensor target = tensor;
        target.copy_(found->second);
    }
}

} // namespace earwright::train
