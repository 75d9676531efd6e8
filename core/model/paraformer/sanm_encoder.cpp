#include "core/model/paraformer/sanm_encoder.h"

#include "core/model/dropout.h"
#include "core/model/transformer/masks.h"

#include <cmath>
#include <torch/nn/modules/container/modulelist.h>

namespace earwright::model {

namespace {

SanmSize sanmAttentionSize(const catalog::SanmEncoderConfig& config, int64_t inputs)
{
    return { inputs, config.outputSize, config.attentionHeads, config.kernelSize, config.sanmShift,
        config.attentionDropoutRate };
}

} // namespace

torch::Tensor sinusoids(int64_t frames, int64_t depth, const torch::TensorOptions& options)
{
    TORCH_CHECK(depth % 2 == 0 && depth > 2, "positions need an even input_size, not ", depth);
    const torch::Tensor step
        = torch::log(torch::full({ 1 }, 10000.0, options)) / (static_cast<double>(depth) / 2 - 1);
    const torch::Tensor rates = torch::exp(torch::arange(depth / 2, options) * -step);
    const torch::Tensor angles = torch::arange(1, frames + 1, options).unsqueeze(1) * rates;
    return torch::cat({ angles.sin(), angles.cos() }, 1).unsqueeze(0);
}

torch::Tensor validFrames(const torch::Tensor& lengths_B, const torch::Tensor& x_BTF)
{
    const torch::Tensor padded = keyPadding(lengths_B, x_BTF.size(1));
    return padded.defined()
        ? padded.logical_not()
        : torch::ones({ x_BTF.size(0), x_BTF.size(1) }, x_BTF.options().dtype(torch::kBool));
}

SanmEncoderLayer::SanmEncoderLayer(
    const catalog::SanmEncoderConfig& config, int64_t inputs, double normEps)
    : m_normsBefore(config.normalizeBefore)
    , m_hasResidual(inputs == config.outputSize)
    , m_dropout(config.dropoutRate)
    , m_attention(register_module(
          "self_attn", std::make_shared<SanmAttention>(sanmAttentionSize(config, inputs))))
    , m_up(config.outputSize, config.linearUnits)
    , m_down(config.linearUnits, config.outputSize)
    , m_norm1(register_module("norm1", sanmNorm(inputs, normEps)))
    , m_norm2(register_module("norm2", sanmNorm(config.outputSize, normEps)))
{
    const auto feedForward = register_module("feed_forward", std::make_shared<torch::nn::Module>());
    feedForward->register_module("w_1", m_up);
    feedForward->register_module("w_2", m_down);
}

torch::Tensor SanmEncoderLayer::attend(const torch::Tensor& x_BTI, const torch::Tensor& valid_BT)
{
    const torch::Tensor y
        = dropped(m_attention->forward(m_normsBefore ? m_norm1(x_BTI) : x_BTI, valid_BT), m_dropout,
            is_training());
    const torch::Tensor sum = m_hasResidual ? x_BTI + y : y;
    return m_normsBefore ? sum : m_norm1(sum);
}

torch::Tensor SanmEncoderLayer::feedForward(const torch::Tensor& x_BTD)
{
    const torch::Tensor hidden = dropped(
        torch::relu(m_up(m_normsBefore ? m_norm2(x_BTD) : x_BTD)), m_dropout, is_training());
    const torch::Tensor sum = x_BTD + dropped(m_down(hidden), m_dropout, is_training());
    return m_normsBefore ? sum : m_norm2(sum);
}

torch::Tensor SanmEncoderLayer::forward(const torch::Tensor& x_BTI, const torch::Tensor& valid_BT)
{
    return feedForward(attend(x_BTI, valid_BT));
}

SanmEncoder::SanmEncoder(const catalog::SanmEncoderConfig& config)
    : m_scale(std::sqrt(static_cast<double>(config.outputSize)))
{
    TORCH_CHECK(config.inputLayer == "pe",
        "Earwright builds a SANMEncoder with input_layer 'pe', not '", config.inputLayer, "'");
    TORCH_CHECK(config.selfattentionLayerType == "sanm",
        "Earwright builds a SANMEncoder with selfattention_layer_type 'sanm', not '",
        config.selfattentionLayerType, "'");
    TORCH_CHECK(!config.concatAfter && config.interctcLayerIdx.empty() && !hasLora(config.lora),
        "Earwright builds a SANMEncoder without concat_after, interctc_layer_idx and lora_list");
    torch::nn::ModuleList first;
    torch::nn::ModuleList others;
    for (int64_t i = 0; i < config.numBlocks; ++i) {
        m_layers.push_back(std::make_shared<SanmEncoderLayer>(
            config, i == 0 ? config.inputSize : config.outputSize));
        (i == 0 ? first : others)->push_back(m_layers.back());
    }
    register_module("encoders0", first);
    register_module("encoders", others);
    if (config.normalizeBefore)
        m_afterNorm = register_module("after_norm", sanmNorm(config.outputSize));
}

torch::Tensor SanmEncoder::encode(const torch::Tensor& x_BTF, const torch::Tensor& valid_BT)
{
    torch::Tensor x = x_BTF * m_scale + sinusoids(x_BTF.size(1), x_BTF.size(2), x_BTF.options());
    for (const auto& layer : m_layers)
        x = layer->forward(x, valid_BT);
    return m_afterNorm ? m_afterNorm(x) : x;
}

torch::Tensor SanmEncoder::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    return encode(input, validFrames(lengths_B, input));
}

} // namespace earwright::model
