#pragma once

#include "core/catalog/configs/pooling.h"
#include "core/model/layer.h"

namespace earwright::model {

/// speechbrain.nnet.pooling.Pooling1d: maximum or mean along one axis of [batch, time, features(,
/// channels)]. Of input_dims 4 it pools 3-d input too, as upstream's does.
class Pooling1d final : public Layer {
public:
    explicit Pooling1d(const catalog::Pooling1dConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    catalog::Pooling1dConfig m_config;
};

/// speechbrain.nnet.pooling.Pooling2d: along time and features of [batch, time, features(,
/// channels)].
class Pooling2d final : public Layer {
public:
    explicit Pooling2d(const catalog::Pooling2dConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    catalog::Pooling2dConfig m_config;
};

} // namespace earwright::model
