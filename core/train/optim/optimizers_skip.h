#pragma once

#include <torch/types.h>
#include <vector>

namespace earwright::train {

// Note [Skipping without a fused kernel]
// foundInf is known to the device alone. So a skipped step runs like any other on gradients of zero
// with decays of one, which leaves every bit as it was; a multiplication by zero would not do, for
// NaN times zero is NaN.

struct GradientRule {
    double weightDecay = 0;
    bool maximize = false;
};

/// New tensors: (-)gradient + weightDecay * parameter, all zero where foundInf (may be undefined)
/// is 1.
std::vector<torch::Tensor> usableGradients(at::TensorList parameters, at::TensorList gradients,
    GradientRule rule, const torch::Tensor& foundInf);

/// 0-d float beside `like`: `value`, or 1 where foundInf is 1.
torch::Tensor unlessSkipped(double value, const torch::Tensor& foundInf, const torch::Tensor& like);

/// parameters -= moves, or nothing where foundInf is 1.
void subtractUnlessSkipped(
    at::TensorList parameters, at::TensorList moves, const torch::Tensor& foundInf);

} // namespace earwright::train
