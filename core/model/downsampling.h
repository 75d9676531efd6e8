#pragma once

#include "core/catalog/configs/downsampling.h"
#include "core/model/convolution.h"
#include "core/model/pooling.h"
#include "core/model/resampling.h"

// Shapes: B rows, T samples of a wave or frames, F features.

namespace earwright::model {

/// speechbrain.lobes.downsampling.SignalDownsampler: [B, T] -> [B, ceil(T * to / from)], from and
/// to the two rates in smallest terms. Upstream's weights are a buffer that this makes anew.
class SignalDownsampler final : public Layer {
public:
    explicit SignalDownsampler(const catalog::SignalDownsamplerConfig& config);
    torch::Tensor forward(torch::Tensor wave_BT, torch::Tensor lengths_B = {}) override;

private:
    data::Ratio m_ratio;
    Taps m_taps;
};

/// speechbrain.lobes.downsampling.Conv1DDownsampler: [B, T] -> [B, (T - kernel_size) / factor + 1];
/// child `downsampler`.
class Conv1dDownsampler final : public Layer {
public:
    explicit Conv1dDownsampler(const catalog::Conv1dDownsamplerConfig& config);
    torch::Tensor forward(torch::Tensor wave_BT, torch::Tensor lengths_B = {}) override;

private:
    std::shared_ptr<Conv1d> m_convolution;
};

/// speechbrain.lobes.downsampling.PoolingDownsampler over the time of [B, T] or [B, T, F].
class PoolingDownsampler final : public Layer {
public:
    explicit PoolingDownsampler(const catalog::PoolingDownsamplerConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    Pooling1d m_pooling;
};

/// speechbrain.lobes.downsampling.ConcatDownsampler: [B, T, F] -> [B, T / factor, F * factor];
/// frames that fill no whole one are dropped.
class ConcatDownsampler final : public Layer {
public:
    explicit ConcatDownsampler(const catalog::ConcatDownsamplerConfig& config)
        : m_factor(config.downsamplingFactor)
    {
    }
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    int64_t m_factor;
};

} // namespace earwright::model
