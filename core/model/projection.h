#pragma once

#include "core/model/adapters/linear_adapter.h"

#include <torch/nn/modules/linear.h>

namespace earwright::model {

/// torch.nn.Linear as Python's is computed: product and bias are one operator, which rounds once
/// under fp16 and bf16. LibTorch's own class adds the bias to the rounded product of an input
/// (B, T, C). Names and initial weights are LibTorch's.
///
/// With an adapter `weight` and `bias` are undefined: who needs the weights asks weightInForce().
class ProjectionImpl : public torch::nn::LinearImpl, public Adaptable {
public:
    using torch::nn::LinearImpl::LinearImpl;

    torch::Tensor forward(const torch::Tensor& input)
    {
        return m_adapter ? m_adapter->forward(input) : torch::linear(input, weight, bias);
    }
    /// [outputs, inputs]. Throws c10::Error as LinearAdapter::weight().
    torch::Tensor weightInForce() const { return m_adapter ? m_adapter->weight() : weight; }

    void adapt(const MakeAdapter& make) override;
    /// For an owner that does more with the weights than forward(): adapt() asks it.
    void checkAdaptersBy(CheckAdapter check) { m_check = std::move(check); }
    bool isAdapted() const override { return m_adapter != nullptr; }
    LinearWeights weightsInForce() const override
    {
        return { weightInForce(), m_adapter ? m_adapter->bias() : bias };
    }

private:
    CheckAdapter m_check; ///< none: any adapter will do
    std::shared_ptr<LinearAdapter> m_adapter; ///< its children are registered as ours
};
TORCH_MODULE(Projection);

/// How many outputs the linear layer of this name has in a module, with an adapter or without; 0
/// where there is none.
int64_t outputsOf(const torch::nn::Module& module, const std::string& linear);

} // namespace earwright::model
