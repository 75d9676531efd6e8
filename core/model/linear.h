#pragma once

#include "core/catalog/configs/linear.h"
#include "core/model/layer.h"
#include "core/model/projection.h"

namespace earwright::model {

/// speechbrain.nnet.linear.Linear: [..., input_size] -> [..., n_neurons]; child `w`.
class Linear final : public Layer {
public:
    explicit Linear(const catalog::LinearConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    catalog::LinearConfig m_config;
    Projection m_weights = nullptr;
};

/// A Linear with bias.
std::shared_ptr<Layer> makeLinear(int64_t inputs, int64_t outputs);

/// speechbrain.nnet.activations.Softmax: (log-)softmax in float32 whatever the input's type.
class Softmax final : public Layer {
public:
    explicit Softmax(const catalog::SoftmaxConfig& config);
    explicit Softmax(const catalog::TorchSoftmaxConfig& config, bool applyLog);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    bool m_applyLog;
    int64_t m_dim;
};

/// speechbrain.lobes.models.VanillaNN.VanillaNN: linear layers, each with its activation; children
/// `linear`, `linear_0`, …
std::shared_ptr<Layer> makeVanillaNn(const catalog::VanillaNnConfig& config);

/// Input features from `input_size` or the last known entries of `input_shape`, from dimension
/// `first` on (2 = all after batch and time). Throws c10::Error where neither tells.
int64_t inputFeatures(
    const std::optional<int64_t>& size, const std::optional<catalog::Shape>& shape, size_t first);

} // namespace earwright::model
