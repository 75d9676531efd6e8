#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <memory>
#include <torch/torch.h>
#include <vector>

namespace kymo::train {

/// The optimizer of a resolved `!name:torch.optim.X` node over the parameters: AdamW, Adam, Adadelta, SGD with PyTorch's arguments,
/// defaults and numerics; the fused ATen kernel where there is one. Null with diagnostics otherwise.
std::unique_ptr<torch::optim::Optimizer> makeOptimizer(const recipe::Node& optClass, std::vector<torch::Tensor> parameters,
    std::vector<recipe::Diagnostic>& diagnostics);

void setLearningRate(torch::optim::Optimizer& optimizer, double learningRate);
double learningRate(const torch::optim::Optimizer& optimizer);

/// State by parameter index and name ("0.exp_avg", "0.step" …) to save and restore bit for bit.
std::vector<std::pair<std::string, torch::Tensor>> optimizerState(const torch::optim::Optimizer& optimizer);
void restoreOptimizerState(torch::optim::Optimizer& optimizer, const std::vector<std::pair<std::string, torch::Tensor>>& state);

} // namespace kymo::train
