#pragma once

#include <torch/nn/module.h>

namespace earwright::model {

/// Sine and cosine, interleaved, of positions 0 … maxLength - 1. Buffer pe [1, maxLength, size].
class PositionalEncoding final : public torch::nn::Module {
public:
    PositionalEncoding(int64_t size, int64_t maxLength);
    /// [1, frames, size]. Throws c10::Error naming max_length where the table is too short.
    torch::Tensor forward(int64_t frames) const;

private:
    torch::Tensor m_table;
};

/// The same sines by distance for relative attention (RelPosEncXL): upstream's table of 2T - 1 rows
/// is symmetric, past and future alike, so one row a distance is enough. Buffer inv_freq [size /
/// 2].
class RelativePositions final : public torch::nn::Module {
public:
    explicit RelativePositions(int64_t size);
    /// [frames, size], row d for distance d; float32 on the device of the buffer, made once for the
    /// longest input so far.
    torch::Tensor forward(int64_t frames);

private:
    torch::Tensor m_inverseFrequencies;
    torch::Tensor m_table;
};

} // namespace earwright::model
