#pragma once

#include <torch/nn/modules/linear.h>

namespace earwright::model {

/// torch.nn.Linear as Python's is computed: product and bias are one operator, which rounds once
/// under fp16 and bf16. LibTorch's own class adds the bias to the rounded product of an input
/// (B, T, C). Names and initial weights are LibTorch's.
class ProjectionImpl : public torch::nn::LinearImpl {
public:
    using torch::nn::LinearImpl::LinearImpl;

    torch::Tensor forward(const torch::Tensor& input) { return torch::linear(input, weight, bias); }
};
TORCH_MODULE(Projection);

} // namespace earwright::model
