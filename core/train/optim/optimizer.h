#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <memory>
#include <optional>
#include <string>
#include <torch/optim/optimizer.h>
#include <vector>

namespace earwright::train {

/// Parameters that learn at one rate.
struct ParameterGroup {
    std::vector<torch::Tensor> parameters {};
    std::optional<double> lr {}; ///< in place of the optimizer's; whatever a schedule or
                                 ///< setLearningRate does, the two stay in this proportion
};

/// The classes that makeOptimizer() builds, as the catalogue names them.
std::vector<std::string> optimizerClasses();

/// The optimizer of a resolved `!name:torch.optim.X` node over the parameters: AdamW, Adam,
/// Adadelta, SGD with PyTorch's arguments, defaults and numerics; the fused ATen kernel where there
/// is one. Null with diagnostics otherwise. State is made beside the parameters, so move the model
/// to its device first. None of the steps waits for the device; a learning rate changed by
/// setLearningRate counts from the next step.
/// removeVectorWeightDecay: SpeechBrain's option of that name; the 1-d parameters of each group
/// become a group of their own before it, without weight decay.
std::unique_ptr<torch::optim::Optimizer> makeOptimizer(const recipe::Node& optClass,
    const std::vector<ParameterGroup>& groups, std::vector<recipe::Diagnostic>& diagnostics,
    bool removeVectorWeightDecay = false);
/// All at the optimizer's rate.
std::unique_ptr<torch::optim::Optimizer> makeOptimizer(const recipe::Node& optClass,
    std::vector<torch::Tensor> parameters, std::vector<recipe::Diagnostic>& diagnostics,
    bool removeVectorWeightDecay = false);

/// The optimizer's; groups with a rate of their own move in proportion.
void setLearningRate(torch::optim::Optimizer& optimizer, double learningRate);
double learningRate(const torch::optim::Optimizer& optimizer);

/// Copies of the state by parameter index (over all groups) and name ("0.exp_avg", "0.step" …) to
/// save and restore bit for bit.
std::vector<std::pair<std::string, torch::Tensor>> optimizerState(
    const torch::optim::Optimizer& optimizer);
/// Copies into the optimizer's own tensors, on their device. Throws c10::Error where names or
/// shapes do not fit.
void restoreOptimizerState(torch::optim::Optimizer& optimizer,
    const std::vector<std::pair<std::string, torch::Tensor>>& state);

} // namespace earwright::train
