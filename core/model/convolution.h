#pragma once

#include "core/catalog/configs/convolution.h"
#include "core/model/layer.h"

#include <torch/nn/modules/conv.h>

// Shapes: B rows, C channels, T frames, F features.

namespace earwright::model {

/// speechbrain.nnet.CNN.Conv1d over [batch, time, channels] or [batch, time]; child `conv`.
class Conv1d final : public Layer {
public:
    explicit Conv1d(const catalog::Conv1dConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    catalog::Conv1dConfig m_config;
    bool m_inputIs2d; ///< [batch, time], without a channel
    torch::nn::Conv1d m_conv = nullptr;
};

/// speechbrain.nnet.CNN.Conv2d over [batch, time, features, channels] or [batch, time, features];
/// child `conv`. kernel_size, stride and dilation are (features, time), as upstream computes (its
/// documentation says the opposite).
class Conv2d final : public Layer {
public:
    explicit Conv2d(const catalog::Conv2dConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    torch::Tensor convolve(const torch::Tensor& x_BCTF);

    catalog::Conv2dConfig m_config;
    bool m_inputIs3d; ///< [batch, time, features], without a channel
    bool m_timeFirst; ///< the weight is [out, in, time, features]
    torch::nn::Conv2d m_conv = nullptr;
};

} // namespace earwright::model
