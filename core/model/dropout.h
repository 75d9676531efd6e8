#pragma once

#include "core/catalog/configs/pooling.h"
#include "core/model/layer.h"

namespace earwright::model {

/// torch::dropout(): in training each number is 0 with probability `rate`, the others are divided
/// by 1 - rate. Where dropsByBits() the rate is rounded to a whole of 65536.
torch::Tensor dropped(const torch::Tensor& x, double rate, bool isTraining);
/// float32 on the CPU, where ATen's draws took longer than all else that dropout does (on an AMD
/// EPYC).
bool dropsByBits(const torch::Tensor& x);

/// torch.nn.Dropout
class Dropout final : public Layer {
public:
    explicit Dropout(double rate)
        : m_rate(rate)
    {
    }
    explicit Dropout(const catalog::DropoutConfig& config)
        : Dropout(config.p)
    {
    }
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    double m_rate;
};

/// speechbrain.nnet.dropout.Dropout2d on [batch, time, features, channels]: a dropped feature is
/// zero at all times and in all channels.
class Dropout2d final : public Layer {
public:
    explicit Dropout2d(double rate)
        : m_rate(rate)
    {
    }
    explicit Dropout2d(const catalog::Dropout2dConfig& config)
        : Dropout2d(config.dropRate)
    {
    }
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    double m_rate;
};

} // namespace earwright::model
