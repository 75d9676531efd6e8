#pragma once

#include "core/recipe/node.h"

#include <cstdint>
#include <optional>

namespace earwright::data {

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

/// Of a resolved recipe: `compute_features` (hop), `CNN` (strides), `enc` or `model` (time pooling
/// of a CRDNN). What it does not know counts as no subsampling, so that frames are rather too many
/// than too few. None for a Paraformer, whose CIF aligns a text of any length.
std::optional<FrameRate> frameRateOf(const recipe::Node& recipe, int sampleRateHz);

} // namespace earwright::data
