#pragma once

#include "core/model/transformer/masks.h"

namespace earwright::model {

/// Frames behind frames_B of each row, bool [B, frames] on `device`; undefined where it is
/// undefined or, known without waiting for a device, all rows are full. A row keeps at least one:
/// upstream lets one without any see all.
inline torch::Tensor paddingOf(const torch::Tensor& frames_B, int64_t frames, c10::Device device)
{
    if (!frames_B.defined())
        return {};
    if (frames_B.is_cpu() && frames_B.min().item<int64_t>() >= frames)
        return {};
    return keyPaddingOfCounts(frames_B.to(device), frames);
}

} // namespace earwright::model
