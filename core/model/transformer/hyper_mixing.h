#pragma once

#include "core/model/transformer/attention.h"
#include "core/model/transformer/positions.h"

#include <torch/nn/modules/normalization.h>

// Shapes: B rows, T frames, D width, H heads, E = D / H the width of one, K hidden units of a
// head's mixing network.

namespace earwright::model {

struct MixingSize {
    int64_t width = 512;
    int64_t hidden = 2048; ///< units of the mixing networks of all heads together
    int64_t heads = 1;
    // Arguments of upstream's class alone: no recipe sets them.
    bool isTied = false; ///< both matrices are one
    bool hasWholeHidden = false; ///< each head has `hidden` units, not a share of them
    int64_t maxLength = 3000; ///< frames
};

/// speechbrain.nnet.hypermixing.ParallelMLPs with hidden layers as wide as the input: for each head
/// a network of two layers, which makes one row of a mixing matrix of each frame. Only its first
/// layer is computed here, for HyperMixing needs no more by itself.
class RowMaker final : public torch::nn::Module {
public:
    explicit RowMaker(const MixingSize& size);
    /// The first layer: x [H, N, E] -> [H, N, E].
    torch::Tensor hidden(const torch::Tensor& x_HNE) const;
    /// The second is a row v -> v * weights_HKE^T + biases_HK.
    const torch::Tensor& weights_HKE() const { return m_weights2; }
    const torch::Tensor& biases_HK() const { return m_biases2; }

private:
    torch::Tensor m_weights1;
    torch::Tensor m_biases1;
    torch::Tensor m_weights2;
    torch::Tensor m_biases2;
};

/// speechbrain.nnet.hypermixing.HyperMixing (Mai et al. 2023): frames are mixed by a network of two
/// layers over time, whose matrices other networks make of the frames and their positions. It takes
/// time in proportion to the frames. Every frame hears all others that are no padding: as upstream,
/// a look-ahead mask has no effect.
class HyperMixing final : public SelfAttention {
public:
    /// Throws c10::Error where heads do not divide the sizes.
    explicit HyperMixing(const MixingSize& size);
    /// Throws c10::Error where there are more frames than positions.
    torch::Tensor forward(
        const torch::Tensor& x_BTD, const AttentionMask& mask, const torch::Tensor& = {}) override;

private:
    torch::Tensor split(const torch::Tensor& x_BTD) const;
    torch::Tensor mix(const torch::Tensor& x_HNE, const torch::Tensor& placed_HNE, int64_t rows);

    MixingSize m_size;
    std::shared_ptr<RowMaker> m_first;
    std::shared_ptr<RowMaker> m_second;
    std::shared_ptr<PositionalEncoding> m_positions;
    torch::nn::LayerNorm m_norm;
};

} // namespace earwright::model
