#pragma once

#include "core/model/pretrained/encoder_config.h"
#include "core/model/projection.h"

#include <torch/nn/modules/embedding.h>

// Shapes: B rows, T frames, D width, H heads, E = D / H the width of one, R distances.

namespace earwright::model {

/// `self_attn` of w2v-BERT 2.0; children linear_q, linear_k, linear_v, linear_out. How it knows the
/// frames' order, the config says: by a vector for each distance, clamped, times the query
/// (`distance_embedding`), by sines of distances as Transformer-XL, by rotating the input of
/// queries and keys, or not at all.
class BertAttention final : public torch::nn::Module {
public:
    explicit BertAttention(const EncoderConfig& config);
    /// x_BTD -> [B, T, D]. isPadding_BT: bool or undefined.
    torch::Tensor forward(const torch::Tensor& x_BTD, const torch::Tensor& isPadding_BT);

private:
    torch::Tensor rotated(const torch::Tensor& x_BTD) const;
    torch::Tensor keyedScores(const torch::Tensor& q_BHTE) const;
    torch::Tensor sineScores(const torch::Tensor& q_BHTE);

    const EncoderConfig m_config;
    Projection m_q;
    Projection m_k;
    Projection m_v;
    Projection m_out;
    torch::nn::Embedding m_distances = nullptr; ///< of BertPositions::RelativeKey
    Projection m_sines = nullptr; ///< of BertPositions::Relative, as the two below
    torch::Tensor m_contentBias; ///< [H, E]
    torch::Tensor m_positionBias;
};

} // namespace earwright::model
