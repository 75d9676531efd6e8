#include "core/model/pretrained/wave_convolutions.h"

#include "core/model/dropout.h"

#include <torch/utils.h>

namespace earwright::model {

namespace {

torch::nn::Conv1d waveConvolution(const EncoderConfig& config, size_t layer)
{
    const int64_t inputs = layer == 0 ? 1 : config.convWidths[layer - 1];
    return torch::nn::Conv1d(
        torch::nn::Conv1dOptions(inputs, config.convWidths[layer], config.convKernels[layer])
            .stride(config.convStrides[layer])
            .bias(config.convBias));
}

} // namespace

class WaveConvolution final : public torch::nn::Module {
public:
    WaveConvolution(const EncoderConfig& config, size_t layer)
        : m_activation(config.convActivation)
        , m_conv(register_module("conv", waveConvolution(config, layer)))
    {
        const int64_t width = config.convWidths[layer];
        if (config.normEveryConv)
            m_frameNorm = register_module(
                "layer_norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({ width })));
        else if (layer == 0)
            m_channelNorm = register_module(
                "layer_norm", torch::nn::GroupNorm(torch::nn::GroupNormOptions(width, width)));
    }

    torch::Tensor forward(const torch::Tensor& x_BCT)
    {
        torch::Tensor y_BCT = m_conv(x_BCT);
        if (m_frameNorm)
            y_BCT = m_frameNorm(y_BCT.transpose(1, 2)).transpose(1, 2);
        if (m_channelNorm)
            y_BCT = m_channelNorm(y_BCT);
        return activated(y_BCT, m_activation);
    }

private:
    EncoderActivation m_activation;
    torch::nn::Conv1d m_conv;
    torch::nn::LayerNorm m_frameNorm = nullptr;
    torch::nn::GroupNorm m_channelNorm = nullptr;
};

WaveConvolutions::WaveConvolutions(const EncoderConfig& config)
    : m_config(config)
{
    const auto list = register_module("conv_layers", std::make_shared<torch::nn::Module>());
    for (size_t i = 0; i < config.convWidths.size(); ++i)
        m_layers.push_back(
            list->register_module(std::to_string(i), std::make_shared<WaveConvolution>(config, i)));
}

torch::Tensor WaveConvolutions::forward(const torch::Tensor& wav_BN)
{
    const int64_t frames
        = this->frames(torch::tensor(wav_BN.size(1), torch::kLong)).item<int64_t>();
    TORCH_CHECK(frames > 0, "sounds of ", wav_BN.size(1),
        " samples are too short for the encoder: its convolutions make no frame of them");
    torch::Tensor x_BCT = wav_BN.unsqueeze(1);
    for (const auto& layer : m_layers)
        x_BCT = layer->forward(x_BCT);
    return x_BCT.transpose(1, 2);
}

torch::Tensor WaveConvolutions::frames(const torch::Tensor& samples) const
{
    torch::Tensor count = samples.to(torch::kLong);
    for (size_t i = 0; i < m_config.convKernels.size(); ++i)
        count = (count - m_config.convKernels[i]).floor_divide(m_config.convStrides[i]) + 1;
    return count.clamp_min(0);
}

FeatureProjection::FeatureProjection(int64_t inputWidth, const EncoderConfig& config)
    : m_dropout(config.projectionDropout)
{
    if (config.projectionNorm)
        m_norm = register_module("layer_norm",
            torch::nn::LayerNorm(torch::nn::LayerNormOptions({ inputWidth }).eps(config.normEps)));
    m_projection = register_module("projection", Projection(inputWidth, config.width));
}

FeatureProjection::Output FeatureProjection::forward(const torch::Tensor& features_BTC)
{
    const torch::Tensor normed_BTC = m_norm ? m_norm(features_BTC) : features_BTC;
    return { dropped(m_projection(normed_BTC), m_dropout, is_training()), normed_BTC };
}

} // namespace earwright::model
