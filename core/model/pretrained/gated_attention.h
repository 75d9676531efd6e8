#pragma once

#include "core/model/pretrained/attention.h"

#include <torch/nn/modules/embedding.h>

// Shapes: B rows, T frames, D width, H heads.

namespace earwright::model {

/// WavLM's: scores get a bias for the distance of two frames, of buckets that widen with it
/// (`rel_attn_embed`, of the first layer alone), times a gate of each query and head, which is
/// computed of the layer's input. Source: Chen et al. 2021, section 3.2.
class GatedAttention final : public EncoderAttention {
public:
    GatedAttention(const EncoderConfig& config, bool isFirst);
    torch::Tensor forward(const torch::Tensor& x_BTD, const torch::Tensor& isPadding_BT,
        const torch::Tensor& distances_HTT) override;
    torch::Tensor distanceScores(int64_t frames) const override;

private:
    torch::Tensor gate(const torch::Tensor& x_BTD);

    int64_t m_buckets;
    int64_t m_farthest;
    torch::Tensor m_constant; ///< [1, H, 1, 1]
    Projection m_gate;
    torch::nn::Embedding m_distances = nullptr; ///< null but in the first layer
};

/// The bucket of each distance `to - from`, int64 of its shape: half of them for frames ahead; a
/// quarter of exact distances a side, then ever wider ones up to `farthest`.
torch::Tensor distanceBuckets(const torch::Tensor& distances, int64_t buckets, int64_t farthest);

} // namespace earwright::model
