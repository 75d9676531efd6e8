#include "core/model/pretrained/bert_layer.h"

#include "core/model/depthwise.h"
#include "core/model/dropout.h"

namespace earwright::model {

namespace {

torch::nn::Conv1d ofOneTap(int64_t inputs, int64_t outputs)
{
    return torch::nn::Conv1d(torch::nn::Conv1dOptions(inputs, outputs, 1).bias(false));
}

/// What a convolution of one tap makes of [B, T, D].
torch::Tensor ofEachFrame(const torch::nn::Conv1d& conv, const torch::Tensor& x_BTD)
{
    return torch::linear(x_BTD, conv->weight.squeeze(2));
}

} // namespace

CausalConvolution::CausalConvolution(const EncoderConfig& config)
    : m_activation(config.activation)
    , m_dropout(config.convolutionDropout)
    , m_norm(register_module("layer_norm", encoderNorm(config)))
    , m_gated(register_module("pointwise_conv1", ofOneTap(config.width, 2 * config.width)))
    , m_depthwise(register_module("depthwise_conv",
          torch::nn::Conv1d(
              torch::nn::Conv1dOptions(config.width, config.width, config.depthwiseKernel)
                  .groups(config.width)
                  .bias(false))))
    , m_depthwiseNorm(register_module("depthwise_layer_norm", encoderNorm(config)))
    , m_outer(register_module("pointwise_conv2", ofOneTap(config.width, config.width)))
{
}

torch::Tensor CausalConvolution::forward(
    const torch::Tensor& x_BTD, const torch::Tensor& isPadding_BT)
{
    torch::Tensor y_BTD = m_norm(x_BTD);
    if (isPadding_BT.defined())
        y_BTD = y_BTD.masked_fill(isPadding_BT.unsqueeze(2), 0);
    y_BTD = at::glu(ofEachFrame(m_gated, y_BTD), -1);
    const torch::Tensor past_BDT
        = torch::constant_pad_nd(y_BTD.transpose(1, 2), { m_depthwise->weight.size(2) - 1, 0 });
    y_BTD = m_depthwiseNorm(depthwise(*m_depthwise, past_BDT).transpose(1, 2));
    y_BTD = ofEachFrame(m_outer, activated(y_BTD, m_activation));
    return dropped(y_BTD, m_dropout, is_training());
}

BertLayer::BertLayer(const EncoderConfig& config)
    : m_attentionDropout(config.attentionDropout)
    , m_firstNorm(register_module("ffn1_layer_norm", encoderNorm(config)))
    , m_first(register_module("ffn1", std::make_shared<EncoderFeedForward>(config)))
    , m_attentionNorm(register_module("self_attn_layer_norm", encoderNorm(config)))
    , m_attention(register_module("self_attn", std::make_shared<BertAttention>(config)))
    , m_convolution(register_module("conv_module", std::make_shared<CausalConvolution>(config)))
    , m_secondNorm(register_module("ffn2_layer_norm", encoderNorm(config)))
    , m_second(register_module("ffn2", std::make_shared<EncoderFeedForward>(config)))
    , m_finalNorm(register_module("final_layer_norm", encoderNorm(config)))
{
}

torch::Tensor BertLayer::forward(torch::Tensor x_BTD, const torch::Tensor& isPadding_BT)
{
    x_BTD = x_BTD + m_first->forward(m_firstNorm(x_BTD)) * 0.5;
    x_BTD = x_BTD
        + dropped(m_attention->forward(m_attentionNorm(x_BTD), isPadding_BT), m_attentionDropout,
            is_training());
    x_BTD = x_BTD + m_convolution->forward(x_BTD, isPadding_BT);
    return m_finalNorm(x_BTD + m_second->forward(m_secondNorm(x_BTD)) * 0.5);
}

} // namespace earwright::model
