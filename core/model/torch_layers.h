#pragma once

#include "core/catalog/configs/torch_layers.h"
#include "core/model/layer.h"
#include "core/model/projection.h"
#include "core/model/recurrent.h"

namespace earwright::model {

/// torch.nn.Linear under its own names: weight, bias.
class TorchLinear final : public Layer, public Adaptable {
public:
    explicit TorchLinear(const catalog::TorchLinearConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

    void adapt(const MakeAdapter& make) override;
    bool isAdapted() const override { return m_weights->isAdapted(); }
    LinearWeights weightsInForce() const override { return m_weights->weightsInForce(); }

private:
    Projection m_weights; ///< its parameters, or those of its adapter, are registered as ours
};

/// torch.nn.Embedding under its own name: weight.
class TorchEmbedding final : public Layer {
public:
    explicit TorchEmbedding(const catalog::TorchEmbeddingConfig& config);
    /// int64 of any shape -> the same with a last dimension of embedding_dim.
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    torch::Tensor m_weight;
};

/// torch.nn.LSTM under its own names: weight_ih_l0, weight_hh_l0, … Throws c10::Error without
/// batch_first.
class TorchLstm final : public Layer {
public:
    explicit TorchLstm(const catalog::TorchLstmConfig& config);
    /// [batch, time, features] -> [batch, time, hidden * directions]. With relative lengths a row
    /// ends where its length does, and what follows is 0.
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;
    /// The same of whole lengths, on the CPU; the result is as long as the longest.
    torch::Tensor run(const torch::Tensor& x_BTF, const torch::Tensor& counts_B);

private:
    catalog::TorchLstmConfig m_config;
    std::shared_ptr<RecurrentWeights> m_weights; ///< its parameters are registered as ours
};

} // namespace earwright::model
