#pragma once

#include "core/catalog/configs/recurrent.h"
#include "core/model/batch_norm.h"
#include "core/model/layer.h"
#include "core/model/projection.h"

#include <torch/nn/modules/normalization.h>

// Shapes: B rows, T frames, F features, H hidden width, G = 2 * H, the gates a and z.

namespace earwright::model {

enum class Nonlinearity { Relu, LeakyRelu, Tanh, Sin };

/// The recurrence of one LiGRU layer over all frames:
///   h[t] = z[t]·h[t-1] + (1 - z[t])·act(a[t])·mask, [a[t] z[t]] = gates[t] + h[t-1]·Uᵀ, z through
///   a sigmoid.
/// gates_TBG: 2·hidden wide, the input's part, already normalised.  u_GH.  mask_BH: undefined =
/// ones, else of fullType(gates). Returns [T, B, H]. One autograd node for the whole loop: four
/// kernels a frame forward, four backward.
/// Of bf16 or fp16 gates only the products with U are of that type, with two kernels more a frame;
/// states, their gradient and the result are float32, as upstream's float32 mask makes them.
torch::Tensor lightGru(const torch::Tensor& gates_TBG, const torch::Tensor& u_GH,
    const torch::Tensor& mask_BH, Nonlinearity act);

/// One layer of speechbrain.nnet.RNN.LiGRU: w, u, norm, h_init.
class LightGruLayer final : public torch::nn::Module {
public:
    LightGruLayer(const catalog::LiGruConfig& config, int64_t inputSize);
    torch::Tensor forward(const torch::Tensor& x_BTF);

private:
    torch::Tensor normalise(const torch::Tensor& x_BTG);

    int64_t m_hiddenSize;
    bool m_bidirectional;
    double m_dropout;
    Nonlinearity m_act;
    Projection m_w = nullptr;
    Projection m_u = nullptr;
    std::shared_ptr<BatchNorm> m_batchNorm; ///< one of the two norms
    torch::nn::LayerNorm m_layerNorm = nullptr;
};

/// speechbrain.nnet.RNN.LiGRU over [batch, time, features(, channels)]; children rnn.0, rnn.1, …
/// Lengths are not used: the backward direction starts in the padding, as upstream's does.
/// Upstream's state_dict also holds 16000 dropout masks a layer; here masks are drawn when needed
/// and are no state (model/drop_masks.h).
class LightGru final : public Layer {
public:
    explicit LightGru(const catalog::LiGruConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

    struct Output {
        torch::Tensor output; ///< [batch, time, hidden * directions]
        torch::Tensor hidden; ///< [layers * directions, batch, hidden], last frames; mixed up by
                              ///< upstream where bidirectional
    };
    Output forwardWithState(torch::Tensor input);

private:
    int64_t m_hiddenSize;
    bool m_bidirectional;
    std::vector<std::shared_ptr<LightGruLayer>> m_layers;
};

} // namespace earwright::model
