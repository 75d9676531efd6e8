#include "core/model/pretrained/encoder_stack.h"

#include "core/model/dropout.h"
#include "core/model/transformer/layer_drop.h"

namespace earwright::model {

EncoderStack::EncoderStack(const EncoderConfig& config)
    : m_config(config)
    , m_positions(register_module("pos_conv_embed", makePositionalConvolution(config)))
    , m_norm(register_module("layer_norm", encoderNorm(config)))
{
    const auto list = register_module("layers", std::make_shared<torch::nn::Module>());
    for (int64_t i = 0; i < config.layers; ++i)
        m_layers.push_back(
            list->register_module(std::to_string(i), std::make_shared<WaveLayer>(config, i == 0)));
}

LayerOutputs EncoderStack::forward(
    torch::Tensor x_BTD, const torch::Tensor& isPadding_BT, bool keepHidden)
{
    if (isPadding_BT.defined())
        x_BTD = x_BTD.masked_fill(isPadding_BT.unsqueeze(2), 0);
    x_BTD = x_BTD + m_positions->forward(x_BTD);
    if (!m_config.normFirst)
        x_BTD = m_norm(x_BTD);
    x_BTD = dropped(x_BTD, m_config.hiddenDropout, is_training());

    const torch::Tensor distances_HTT = m_layers.front()->attention().distanceScores(x_BTD.size(1));
    std::vector<bool> leftOut
        = droppedLayers(m_config.layers, is_training() ? m_config.layerdrop : 0);
    if (m_config.family == EncoderFamily::WavLm)
        leftOut.front() = false;
    LayerOutputs outputs
        = runLayers(x_BTD, leftOut, keepHidden, [&](size_t layer, const torch::Tensor& x) {
              return m_layers[layer]->forward(x, isPadding_BT, distances_HTT);
          });
    if (m_config.normFirst)
        outputs.last_BTD = m_norm(outputs.last_BTD);
    return outputs;
}

} // namespace earwright::model
