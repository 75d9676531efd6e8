#pragma once

#include <cstdint>

namespace earwright::settings {

/// How many frames a CTC loss sees of so many samples.
struct FrameRate {
    int64_t hopSamples = 160; ///< of the features, at the model's sample rate
    int64_t stride = 1; ///< product of the time strides of convolutions padded to "same": rounds up
    int64_t pooling = 1; ///< product of the time pooling sizes after them: rounds down

    int64_t frameSamples() const { return hopSamples * stride * pooling; }
    int64_t frames(int64_t samples) const
    {
        return ((samples / hopSamples + 1) + stride - 1) / stride / pooling;
    }
};

} // namespace earwright::settings
