#pragma once

#include "core/model/pretrained/encoder_config.h"
#include "core/model/projection.h"

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/normalization.h>

// Shapes: B rows, N samples, T frames, C channels of the last convolution, D width of the encoder.

namespace earwright::model {

/// Children `conv` and `layer_norm`.
class WaveConvolution;

/// `feature_extractor`: wave -> [B, T, C] by strided convolutions (`conv_layers`), each followed by
/// a norm where the config has one (each channel over time behind the first, the channels of a
/// frame behind all) and the activation. Source: Baevski et al. 2020, section 2.
class WaveConvolutions final : public torch::nn::Module {
public:
    explicit WaveConvolutions(const EncoderConfig& config);
    torch::Tensor forward(const torch::Tensor& wav_BN);
    /// Frames of so many samples, 0 of too few; int64 of any shape.
    torch::Tensor frames(const torch::Tensor& samples) const;

private:
    const EncoderConfig m_config;
    std::vector<std::shared_ptr<WaveConvolution>> m_layers;
};

/// `feature_projection`: norm of the features, which HuBERT may lack, then their projection to the
/// encoder's width, with dropout.
class FeatureProjection final : public torch::nn::Module {
public:
    FeatureProjection(int64_t inputWidth, const EncoderConfig& config);

    struct Output {
        torch::Tensor hidden_BTD;
        torch::Tensor normed_BTC;
    };
    Output forward(const torch::Tensor& features_BTC);

private:
    double m_dropout;
    torch::nn::LayerNorm m_norm = nullptr; ///< null where there is none
    Projection m_projection = nullptr;
};

} // namespace earwright::model
