#pragma once

#include <torch/types.h>

namespace earwright::model {

/// [B, T] bool: frame t of row b is speech iff t < lengths_B[b] * frames - 1e-6 (upstream's
/// make_padding_mask: nothing is rounded, 4.5 frames count as 5). Undefined lengths make every
/// frame valid; `like` gives batch and device.
torch::Tensor paddingMask(
    const torch::Tensor& lengths_B, int64_t frames, const torch::Tensor& like);

/// Whole frames of relative lengths, rounded half to even as torch.round does: 0.5 of 21 is 10.
/// int64 [B] on the device of lengths_B.
torch::Tensor frameCounts(const torch::Tensor& lengths_B, int64_t frames);

} // namespace earwright::model
