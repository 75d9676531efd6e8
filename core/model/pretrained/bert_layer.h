#pragma once

#include "core/model/pretrained/bert_attention.h"
#include "core/model/pretrained/wave_layer.h"

#include <torch/nn/modules/conv.h>

// Shapes: B rows, T frames, D width.

namespace earwright::model {

/// `conv_module`: gated pointwise convolution, then a depthwise one that sees no frame ahead.
class CausalConvolution final : public torch::nn::Module {
public:
    explicit CausalConvolution(const EncoderConfig& config);
    /// isPadding_BT: frames that count as 0; bool or undefined.
    torch::Tensor forward(const torch::Tensor& x_BTD, const torch::Tensor& isPadding_BT);

private:
    EncoderActivation m_activation;
    double m_dropout;
    torch::nn::LayerNorm m_norm;
    torch::nn::Conv1d m_gated;
    torch::nn::Conv1d m_depthwise;
    torch::nn::LayerNorm m_depthwiseNorm;
    torch::nn::Conv1d m_outer;
};

/// A conformer's layer of w2v-BERT 2.0: half a feed-forward network, attention, convolution, half a
/// feed-forward network, each with a norm before it, and one behind all. Source: Gulati et al.
/// 2020.
class BertLayer final : public torch::nn::Module {
public:
    explicit BertLayer(const EncoderConfig& config);
    torch::Tensor forward(torch::Tensor x_BTD, const torch::Tensor& isPadding_BT);

private:
    double m_attentionDropout;
    torch::nn::LayerNorm m_firstNorm;
    std::shared_ptr<EncoderFeedForward> m_first;
    torch::nn::LayerNorm m_attentionNorm;
    std::shared_ptr<BertAttention> m_attention;
    std::shared_ptr<CausalConvolution> m_convolution;
    torch::nn::LayerNorm m_secondNorm;
    std::shared_ptr<EncoderFeedForward> m_second;
    torch::nn::LayerNorm m_finalNorm;
};

} // namespace earwright::model
