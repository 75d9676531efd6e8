#pragma once

#include "core/model/transformer/masks.h"

namespace earwright::model {

/// at::scaled_dot_product_attention of queries [B, H, T, E] over keys and values [B, H, S, E], its
/// weights dropped with probability `dropout` -> [B, T, H * E].
torch::Tensor dotProductAttention(const torch::Tensor& q_BHTE, const torch::Tensor& k_BHSE,
    const torch::Tensor& v_BHSE, const AttentionMask& mask, double dropout, double scale);

} // namespace earwright::model
