#include "core/model/autocast_off.h"
#include "core/model/dropout.h"
#include "core/model/transformer/attention.h"

#include <cmath>
#include <torch/nn/init.h>
#include <torch/nn/modules/linear.h>

// Shapes: B batch, T frames, D width, H heads, E head size. Heads come before the batch here: the
// product with the positions, which all rows share, is then one multiplication per head, and no
// tensor but the projected input has to be copied into place.

namespace earwright::model {

RelativeAttention::RelativeAttention(const AttentionSize& size)
    : m_size(size)
    , m_scale(1 / std::sqrt(static_cast<double>(size.width)))
{
    const int64_t headSize = size.width / size.heads;
    m_inWeight = register_parameter("in_proj_weight", torch::empty({ 3 * size.width, size.width }));
    m_biasU = register_parameter("pos_bias_u", torch::empty({ headSize, size.heads }));
    m_biasV = register_parameter("pos_bias_v", torch::empty({ headSize, size.heads }));
    m_out = register_module("out_proj", Projection(size.width, size.width));
    m_positions = register_module(
        "linear_pos", Projection(torch::nn::LinearOptions(size.width, size.width).bias(false)));
    for (const torch::Tensor& weight : { m_inWeight, m_biasU, m_biasV })
        torch::nn::init::xavier_uniform_(weight);
}

/// [H, B, T, T]: query with the position of each key's distance, scaled.
torch::Tensor RelativeAttention::distanceScores(
    const torch::Tensor& q_HBTE, const torch::Tensor& distances_TD)
{
    const auto sizes = q_HBTE.sizes();
    const int64_t heads = sizes[0];
    const int64_t batch = sizes[1];
    const int64_t frames = sizes[2];
    const torch::Tensor near_TD = m_positions(distances_TD) * m_scale;
    // Distances T-1 … 0 … T-1, the row of offset key - query at index offset + T - 1.
    const torch::Tensor both_RD = torch::cat({ near_TD.slice(0, 1).flip(0), near_TD });
    const torch::Tensor both_HER = both_RD.unflatten(1, { heads, sizes[3] }).permute({ 1, 2, 0 });
    const torch::Tensor all_HNR = torch::bmm(q_HBTE.flatten(1, 2), both_HER);
    // Row t starts at index T-1-t: a step to the next row moves one less than a row. No copy, where
    // upstream pads and reshapes.
    const int64_t row = 2 * frames - 1;
    return all_HNR.as_strided({ heads, batch, frames, frames },
        { batch * frames * row, frames * row, row - 1, 1 }, all_HNR.storage_offset() + frames - 1);
}

torch::Tensor RelativeAttention::forward(
    const torch::Tensor& x_BTD, const AttentionMask& mask, const torch::Tensor& distances_TD)
{
    const int64_t heads = m_size.heads;
    const int64_t headSize = m_size.width / heads;
    const torch::Tensor qkv_BTHE3
        = torch::linear(x_BTD, m_inWeight).unflatten(-1, { heads, 3, headSize });
    const torch::Tensor qkv_3HBTE = qkv_BTHE3.permute({ 3, 2, 0, 1, 4 }).contiguous();
    const auto parts = qkv_3HBTE.unbind();
    const auto biased = [&](const torch::Tensor& bias) {
        return parts[0] + bias.view({ heads, 1, 1, headSize }).to(parts[0].scalar_type());
    };
    const torch::Tensor position_HBTT = distanceScores(biased(m_biasV), distances_TD);
    torch::Tensor scores_NTT = torch::baddbmm(position_HBTT.flatten(0, 1),
        biased(m_biasU).flatten(0, 1), parts[1].flatten(0, 1).transpose(1, 2), 1, m_scale);
    torch::Tensor scores_HBTT = scores_NTT.view_as(position_HBTT);
    if (const torch::Tensor masked = mask.united(); masked.defined())
        scores_HBTT = scores_HBTT.masked_fill_(
            masked.dim() == 4 ? masked.transpose(0, 1) : masked, -INFINITY);
    torch::Tensor weights_HBTT = torch::softmax(scores_HBTT, -1, fullType(scores_HBTT));
    if (is_training() && m_size.dropout > 0)
        weights_HBTT = dropped(weights_HBTT, m_size.dropout, true);
    const torch::Tensor x_NTE = torch::bmm(weights_HBTT.flatten(0, 1), parts[2].flatten(0, 1));
    return m_out(x_NTE.unflatten(0, { heads, x_BTD.size(0) }).permute({ 1, 2, 0, 3 }).flatten(2));
}

} // namespace earwright::model
