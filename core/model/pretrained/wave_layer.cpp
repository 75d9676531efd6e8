#include "core/model/pretrained/wave_layer.h"

#include "core/model/dropout.h"

namespace earwright::model {

torch::nn::LayerNorm encoderNorm(const EncoderConfig& config)
{
    return torch::nn::LayerNorm(torch::nn::LayerNormOptions({ config.width }).eps(config.normEps));
}

EncoderFeedForward::EncoderFeedForward(const EncoderConfig& config)
    : m_activation(config.activation)
    , m_innerDropout(config.activationDropout)
    , m_outerDropout(config.hiddenDropout)
    , m_inner(register_module("intermediate_dense", Projection(config.width, config.innerWidth)))
    , m_outer(register_module("output_dense", Projection(config.innerWidth, config.width)))
{
}

torch::Tensor EncoderFeedForward::forward(const torch::Tensor& x_BTD)
{
    const torch::Tensor inner
        = dropped(activated(m_inner(x_BTD), m_activation), m_innerDropout, is_training());
    return dropped(m_outer(inner), m_outerDropout, is_training());
}

LanguageAdapter::LanguageAdapter(int64_t width, int64_t innerWidth)
    : m_norm(register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({ width }))))
    , m_inner(register_module("linear_1", Projection(width, innerWidth)))
    , m_outer(register_module("linear_2", Projection(innerWidth, width)))
{
}

torch::Tensor LanguageAdapter::forward(const torch::Tensor& x_BTD)
{
    return m_outer(at::relu(m_inner(m_norm(x_BTD))));
}

WaveLayer::WaveLayer(const EncoderConfig& config, bool isFirst)
    : m_normFirst(config.normFirst)
    , m_dropout(config.hiddenDropout)
    , m_attention(register_module("attention", makeEncoderAttention(config, isFirst)))
    , m_norm(register_module("layer_norm", encoderNorm(config)))
    , m_feedForward(register_module("feed_forward", std::make_shared<EncoderFeedForward>(config)))
    , m_finalNorm(register_module("final_layer_norm", encoderNorm(config)))
{
    // As upstream: layers with the norm behind have none.
    if (config.normFirst && config.adapterWidth)
        m_adapter = register_module(
            "adapter_layer", std::make_shared<LanguageAdapter>(config.width, *config.adapterWidth));
}

torch::Tensor WaveLayer::forward(const torch::Tensor& x_BTD, const torch::Tensor& isPadding_BT,
    const torch::Tensor& distances_HTT)
{
    const auto attend = [&](const torch::Tensor& x) {
        const torch::Tensor seen = m_attention->forward(x, isPadding_BT, distances_HTT);
        return dropped(seen, m_dropout, is_training());
    };
    if (!m_normFirst) {
        const torch::Tensor x = m_norm(x_BTD + attend(x_BTD));
        return m_finalNorm(x + m_feedForward->forward(x));
    }
    torch::Tensor x = x_BTD + attend(m_norm(x_BTD));
    x = x + m_feedForward->forward(m_finalNorm(x));
    return m_adapter ? x + m_adapter->forward(x) : x;
}

} // namespace earwright::model
