#pragma once

#include "core/model/paraformer/wav_frontend.h"

// Shapes: B rows, N samples, T pairs of frames, F features of a pair.

namespace earwright::model {

/// The features of w2v-BERT 2.0, as SeamlessM4TFeatureExtractor of `transformers` makes them of
/// 16 kHz: Kaldi's log mel filterbank with a Povey window, each mel bin of a row to mean 0 and
/// variance 1 (of n - 1) over its own frames, two frames side by side. No gradients. A last frame
/// without a second belongs to no pair of its row; the rows' padding is 0.
class MelPairs final {
public:
    explicit MelPairs(int64_t mels);

    struct Output {
        torch::Tensor features_BTF;
        torch::Tensor pairs_B; ///< int64 on the CPU
    };
    /// samples_B: int64 on the CPU. Throws c10::Error where the longest row has no pair.
    Output of(const torch::Tensor& wav_BN, const torch::Tensor& samples_B);

    /// Before they are normalised: log mel features [B, frames, mels].
    torch::Tensor logMels(const torch::Tensor& wav_BN, const torch::Tensor& samples_B);

private:
    WavFrontend m_bank;
};

} // namespace earwright::model
