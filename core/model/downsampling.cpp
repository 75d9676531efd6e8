#include "core/model/downsampling.h"

namespace earwright::model {

namespace {

/// Upstream cuts the target rate to a whole number.
data::Ratio ratioOf(const catalog::SignalDownsamplerConfig& config)
{
    const int64_t target = config.initialSamplingRate / config.downsamplingFactor;
    TORCH_CHECK(target >= 1, "'downsampling_factor' ", config.downsamplingFactor,
        " leaves no sample of 'initial_sampling_rate' ", config.initialSamplingRate);
    return data::rateRatio(static_cast<int>(config.initialSamplingRate), static_cast<int>(target));
}

catalog::Conv1dConfig convolutionOf(const catalog::Conv1dDownsamplerConfig& config)
{
    catalog::Conv1dConfig convolution;
    convolution.outChannels = 1;
    convolution.kernelSize = config.kernelSize;
    convolution.inputShape = catalog::Shape(2); // of any size, without a channel
    convolution.stride = config.downsamplingFactor;
    convolution.padding = "valid";
    return convolution;
}

catalog::Pooling1dConfig poolingOf(const catalog::PoolingDownsamplerConfig& config)
{
    catalog::Pooling1dConfig pooling;
    pooling.poolType = config.poolType;
    pooling.kernelSize = config.kernelSize;
    pooling.padding = config.padding;
    pooling.stride = config.downsamplingFactor;
    return pooling;
}

} // namespace

SignalDownsampler::SignalDownsampler(const catalog::SignalDownsamplerConfig& config)
    : m_ratio(ratioOf(config))
    , m_taps(float32Taps(m_ratio))
{
}

torch::Tensor SignalDownsampler::forward(torch::Tensor wave_BT, torch::Tensor)
{
    return m_ratio.isIdentity() ? wave_BT : resampledBy(m_taps, m_ratio, wave_BT);
}

Conv1dDownsampler::Conv1dDownsampler(const catalog::Conv1dDownsamplerConfig& config)
    : m_convolution(register_module("downsampler", std::make_shared<Conv1d>(convolutionOf(config))))
{
}

torch::Tensor Conv1dDownsampler::forward(torch::Tensor wave_BT, torch::Tensor)
{
    return m_convolution->forward(std::move(wave_BT));
}

PoolingDownsampler::PoolingDownsampler(const catalog::PoolingDownsamplerConfig& config)
    : m_pooling(poolingOf(config))
{
}

torch::Tensor PoolingDownsampler::forward(torch::Tensor input, torch::Tensor)
{
    return input.dim() == 2 ? m_pooling.forward(input.unsqueeze(-1)).squeeze(-1)
                            : m_pooling.forward(std::move(input));
}

torch::Tensor ConcatDownsampler::forward(torch::Tensor input, torch::Tensor)
{
    TORCH_CHECK(input.dim() == 3, "ConcatDownsampler takes [batch, time, features]");
    const int64_t frames = input.size(1) / m_factor;
    return input.narrow(1, 0, frames * m_factor)
        .reshape({ input.size(0), frames, input.size(2) * m_factor });
}

} // namespace earwright::model
