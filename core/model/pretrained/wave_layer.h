#pragma once

#include "core/model/pretrained/attention.h"

#include <torch/nn/modules/normalization.h>

// Shapes: B rows, T frames, D width, H heads.

namespace earwright::model {

torch::nn::LayerNorm encoderNorm(const EncoderConfig& config);

/// `feed_forward`: intermediate_dense, activation, output_dense, dropout behind both.
class EncoderFeedForward final : public torch::nn::Module {
public:
    explicit EncoderFeedForward(const EncoderConfig& config);
    torch::Tensor forward(const torch::Tensor& x_BTD);

private:
    EncoderActivation m_activation;
    double m_innerDropout;
    double m_outerDropout;
    Projection m_inner;
    Projection m_outer;
};

/// `adapter_layer` of MMS: a norm and a narrow network, added to a layer's output.
class LanguageAdapter final : public torch::nn::Module {
public:
    LanguageAdapter(int64_t width, int64_t innerWidth);
    torch::Tensor forward(const torch::Tensor& x_BTD);

private:
    torch::nn::LayerNorm m_norm;
    Projection m_inner;
    Projection m_outer;
};

/// A layer of an encoder over the wave: attention and feed-forward network with a norm behind each,
/// or before each where the config says normFirst.
class WaveLayer final : public torch::nn::Module {
public:
    WaveLayer(const EncoderConfig& config, bool isFirst);
    /// As EncoderAttention::forward().
    torch::Tensor forward(const torch::Tensor& x_BTD, const torch::Tensor& isPadding_BT,
        const torch::Tensor& distances_HTT);
    const EncoderAttention& attention() const { return *m_attention; }

private:
    bool m_normFirst;
    double m_dropout;
    std::shared_ptr<EncoderAttention> m_attention;
    torch::nn::LayerNorm m_norm;
    std::shared_ptr<EncoderFeedForward> m_feedForward;
    torch::nn::LayerNorm m_finalNorm;
    std::shared_ptr<LanguageAdapter> m_adapter; ///< null without
};

} // namespace earwright::model
