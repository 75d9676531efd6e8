#pragma once

#include <torch/types.h>

// Shapes: B rows, N samples.

namespace earwright::model {

/// To mean 0 and variance 1 as SpeechBrain's wrappers do: of each row with its padding, eps 1e-5,
/// so that padding is 0 no more.
torch::Tensor normalizedWithPadding(const torch::Tensor& wav_BN);

/// As Wav2Vec2FeatureExtractor of `transformers` does: of each row's own samples, eps 1e-7; padding
/// becomes 0. samples_B: int64, on any device; undefined: all rows are full.
torch::Tensor normalizedAlone(const torch::Tensor& wav_BN, const torch::Tensor& samples_B);

} // namespace earwright::model
