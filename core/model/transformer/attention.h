#pragma once

#include "core/model/projection.h"
#include "core/model/transformer/masks.h"

#include <torch/nn/module.h>

// Shapes: B rows, T places that look, S places that are looked at, D width, H heads, E = D / H the
// width of one.

namespace earwright::model {

struct AttentionSize {
    int64_t width = 512;
    int64_t heads = 8;
    double dropout = 0;
    int64_t mixing = 2048; ///< hidden units of hypermixing
};

/// Self-attention of an encoder layer. x_BTD -> [B, T, D]. distances_TD:
/// RelativePositions::forward(T), used by relative attention alone.
class SelfAttention : public torch::nn::Module {
public:
    virtual torch::Tensor forward(
        const torch::Tensor& x_BTD, const AttentionMask& mask, const torch::Tensor& distances_TD)
        = 0;
};

/// "regularMHA" | "RelPosMHAXL" | "RoPEMHA" | "hypermixing" (hyper_mixing.h). Throws c10::Error for
/// another, or where heads do not divide the width.
std::shared_ptr<SelfAttention> makeSelfAttention(
    const std::string& type, const AttentionSize& size);

/// speechbrain.nnet.attention.MultiheadAttention: torch's multi-head attention as child `att`.
class MultiheadAttention final : public SelfAttention {
public:
    explicit MultiheadAttention(const AttentionSize& size);
    torch::Tensor forward(
        const torch::Tensor& x_BTD, const AttentionMask& mask, const torch::Tensor& = {}) override;
    /// What a sequence is attended by, [B, H, S, E]: computed once for all that look at it.
    struct KeysValues {
        torch::Tensor keys;
        torch::Tensor values;
        /// The places of `next` behind those so far; undefined before the first.
        void append(const KeysValues& next);
        /// Row n becomes that which was row rows_N[n].
        void reorder(const torch::Tensor& rows_N);
    };
    KeysValues keysValues(const torch::Tensor& memory_BSD);
    torch::Tensor attendTo(
        const torch::Tensor& query_BTD, const KeysValues& memory, const AttentionMask& mask);
    /// To another sequence.
    torch::Tensor attend(
        const torch::Tensor& query_BTD, const torch::Tensor& memory_BSD, const AttentionMask& mask);
    /// The weights of attendTo(), mean over the heads: [B, T, S].
    torch::Tensor weightsOf(
        const torch::Tensor& query_BTD, const torch::Tensor& keys_BHSE, const AttentionMask& mask);
    /// The weights of attend().
    torch::Tensor weights(
        const torch::Tensor& query_BTD, const torch::Tensor& memory_BSD, const AttentionMask& mask);

private:
    torch::Tensor split(const torch::Tensor& projected_BTD) const;
    torch::Tensor attendHeads(const torch::Tensor& q_BHTE, const torch::Tensor& k_BHSE,
        const torch::Tensor& v_BHSE, const AttentionMask& mask);
    torch::Tensor project(const torch::Tensor& x_BTD, int64_t first, int64_t count);

    AttentionSize m_size;
    torch::Tensor m_inWeight;
    torch::Tensor m_inBias;
    Projection m_out = nullptr;
};

/// Attention by content and relative distance, Transformer-XL's (Dai et al. 2019, §3.3) with
/// upstream's peculiarities: scores are scaled by 1/sqrt(width), in_proj_weight is laid out per
/// head as [q|k|v], pos_bias_u and _v are stored [head size, heads] and read as [heads, head size].
class RelativeAttention final : public SelfAttention {
public:
    explicit RelativeAttention(const AttentionSize& size);
    torch::Tensor forward(const torch::Tensor& x_BTD, const AttentionMask& mask,
        const torch::Tensor& distances_TD) override;

private:
    torch::Tensor distanceScores(const torch::Tensor& q_HBTE, const torch::Tensor& distances_TD);

    AttentionSize m_size;
    double m_scale;
    torch::Tensor m_inWeight;
    torch::Tensor m_biasU;
    torch::Tensor m_biasV;
    Projection m_out = nullptr;
    Projection m_positions = nullptr;
};

/// Rotary positions (Su et al. 2021) on queries and keys; scale and in_proj_weight as
/// RelativeAttention.
class RotaryAttention final : public SelfAttention {
public:
    explicit RotaryAttention(const AttentionSize& size);
    torch::Tensor forward(
        const torch::Tensor& x_BTD, const AttentionMask& mask, const torch::Tensor& = {}) override;

private:
    torch::Tensor rotate(const torch::Tensor& x_BHTE, const torch::Tensor& cosines_TE,
        const torch::Tensor& sines_TE) const;

    AttentionSize m_size;
    torch::Tensor m_inWeight;
    Projection m_out = nullptr;
    torch::Tensor m_cosines;
    torch::Tensor m_sines;
};

} // namespace earwright::model
