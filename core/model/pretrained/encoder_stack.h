#pragma once

#include "core/model/pretrained/positional_convolution.h"
#include "core/model/pretrained/wave_layer.h"

// Shapes: B rows, T frames, D width.

namespace earwright::model {

/// What the layers of an encoder make of frames.
struct LayerOutputs {
    torch::Tensor last_BTD;
    /// What enters the first layer, then what each layer gives, before the norm that may follow
    /// the last. A layer that is left out gives what entered it: upstream's list is shorter then.
    std::vector<torch::Tensor> hidden_BTD; ///< empty unless asked for
};

/// What layers make of x_BTD: `layer(i, x_BTD)` of those that leftOut[i] does not leave out.
template <class RunLayer>
LayerOutputs runLayers(
    torch::Tensor x_BTD, const std::vector<bool>& leftOut, bool keepHidden, const RunLayer& layer)
{
    LayerOutputs outputs;
    for (size_t i = 0; i < leftOut.size(); ++i) {
        if (keepHidden)
            outputs.hidden_BTD.push_back(x_BTD);
        if (!leftOut[i])
            x_BTD = layer(i, x_BTD);
    }
    if (keepHidden)
        outputs.hidden_BTD.push_back(x_BTD);
    outputs.last_BTD = x_BTD;
    return outputs;
}

/// `encoder`: positions, norm (before the layers, or behind them with normFirst) and layers. In
/// training each layer is left out with probability layerdrop (transformer/layer_drop.h), WavLM's
/// first never.
class EncoderStack final : public torch::nn::Module {
public:
    explicit EncoderStack(const EncoderConfig& config);
    /// Padding frames are set to 0, once, before the positions. isPadding_BT: bool or undefined.
    LayerOutputs forward(
        torch::Tensor x_BTD, const torch::Tensor& isPadding_BT, bool keepHidden = false);

private:
    const EncoderConfig m_config;
    std::shared_ptr<PositionalConvolution> m_positions;
    torch::nn::LayerNorm m_norm;
    std::vector<std::shared_ptr<WaveLayer>> m_layers;
};

} // namespace earwright::model
