#pragma once

#include "core/data/resample.h"

#include <torch/types.h>

namespace earwright::model {

/// The few input samples that make an output one, for each of the P = ratio.to outputs of a block
/// of ratio.from inputs; K of them at most.
struct Taps {
    torch::Tensor first_P; ///< int64, the first of them, from the block's first sample; may be < 0
    torch::Tensor weights_KP; ///< of it and those behind it
};

/// Those of torchaudio.transforms.Resample(from, to, dtype=torch.float32), which computes them in
/// that type, operator by operator: where the rates have few factors in common they are some 1e-4
/// beside data::resample()'s.
Taps float32Taps(data::Ratio ratio);

/// Rows of a batch, each output the sum of its inputs, a term of all outputs at once: nothing of
/// the cost hangs on the terms of the ratio. Samples outside the row are zeros. Gradients pass.
torch::Tensor resampledBy(const Taps& taps, data::Ratio ratio, const torch::Tensor& waves_BT);

} // namespace earwright::model
