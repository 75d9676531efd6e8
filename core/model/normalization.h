#pragma once

#include "core/catalog/configs/normalization.h"
#include "core/model/batch_norm.h"
#include "core/model/layer.h"

#include <torch/nn/modules/normalization.h>

namespace earwright::model {

/// speechbrain.nnet.normalization.BatchNorm1d over the last dimension of [batch, time, channels] or
/// [batch, channels], padding frames included; child `norm`.
class BatchNorm1d final : public Layer {
public:
    explicit BatchNorm1d(const catalog::BatchNorm1dConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    catalog::BatchNorm1dConfig m_config;
    std::shared_ptr<BatchNorm> m_norm;
};

/// speechbrain.nnet.normalization.BatchNorm2d over the channels of [batch, time, features,
/// channels]; child `norm`.
class BatchNorm2d final : public Layer {
public:
    explicit BatchNorm2d(const catalog::BatchNorm2dConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    std::shared_ptr<BatchNorm> m_norm;
};

/// speechbrain.nnet.normalization.LayerNorm: over the last dimension (input_size) or all after
/// batch and time (input_shape), jointly; child `norm`.
class LayerNorm final : public Layer {
public:
    explicit LayerNorm(const catalog::LayerNormConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    torch::nn::LayerNorm m_norm = nullptr;
};

/// Over the last dimensions, which have these sizes.
std::shared_ptr<Layer> makeLayerNorm(std::vector<int64_t> sizes);
std::shared_ptr<Layer> makeBatchNorm1d(int64_t channels);

} // namespace earwright::model
