#include "core/model/paraformer/sense_voice_encoder.h"

#include <cmath>
#include <torch/nn/modules/container/modulelist.h>

namespace earwright::model {

namespace {

constexpr double kNormEps = 1e-5;

catalog::SanmEncoderConfig sanmConfigOf(const catalog::SenseVoiceEncoderConfig& config)
{
    catalog::SanmEncoderConfig sanm;
    sanm.inputSize = config.inputSize;
    sanm.outputSize = config.outputSize;
    sanm.attentionHeads = config.attentionHeads;
    sanm.linearUnits = config.linearUnits;
    sanm.dropoutRate = config.dropoutRate;
    sanm.attentionDropoutRate = config.attentionDropoutRate;
    sanm.kernelSize = config.kernelSize;
    sanm.sanmShift = config.sanmShift;
    return sanm;
}

torch::nn::ModuleList listOf(
    const std::vector<std::shared_ptr<SanmEncoderLayer>>& layers, size_t from, size_t to)
{
    torch::nn::ModuleList list;
    for (size_t i = from; i < to; ++i)
        list->push_back(layers[i]);
    return list;
}

} // namespace

SenseVoiceEncoder::SenseVoiceEncoder(const catalog::SenseVoiceEncoderConfig& config)
    : m_scale(std::sqrt(static_cast<double>(config.outputSize)))
{
    const catalog::SanmEncoderConfig sanm = sanmConfigOf(config);
    const auto add = [&](Layers& layers, int64_t inputs) {
        layers.push_back(std::make_shared<SanmEncoderLayer>(sanm, inputs, kNormEps));
    };
    for (int64_t i = 0; i < config.numBlocks; ++i)
        add(m_layers, i == 0 ? config.inputSize : config.outputSize);
    for (int64_t i = 0; i < config.tpBlocks; ++i)
        add(m_laterLayers, config.outputSize);
    register_module("encoders0", listOf(m_layers, 0, 1));
    register_module("encoders", listOf(m_layers, 1, m_layers.size()));
    register_module("tp_encoders", listOf(m_laterLayers, 0, m_laterLayers.size()));
    m_afterNorm = register_module("after_norm", sanmNorm(config.outputSize, kNormEps));
    m_laterNorm = register_module("tp_norm", sanmNorm(config.outputSize, kNormEps));
}

torch::Tensor SenseVoiceEncoder::encode(const torch::Tensor& x_BTF, const torch::Tensor& valid_BT)
{
    torch::Tensor x = x_BTF * m_scale + sinusoids(x_BTF.size(1), x_BTF.size(2), x_BTF.options());
    for (const auto& layer : m_layers)
        x = layer->forward(x, valid_BT);
    x = m_afterNorm(x);
    for (const auto& layer : m_laterLayers)
        x = layer->forward(x, valid_BT);
    return m_laterNorm(x);
}

torch::Tensor SenseVoiceEncoder::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    return encode(input, validFrames(lengths_B, input));
}

} // namespace earwright::model
