#include "core/model/transformer/dot_product.h"

#include "core/model/dropout.h"

#include <cmath>

namespace earwright::model {

namespace {

/// What is added to the scores of each head, [N, 1 or T, 1 or S].
torch::Tensor hiding(const torch::Tensor& masked, const torch::Tensor& q_BHTE)
{
    if (!masked.defined())
        return torch::zeros({ 1, 1, 1 }, q_BHTE.options());
    const torch::Tensor bias
        = torch::zeros(masked.sizes(), q_BHTE.options()).masked_fill_(masked, -INFINITY);
    return bias.expand({ q_BHTE.size(0), q_BHTE.size(1), bias.size(-2), bias.size(-1) })
        .flatten(0, 1);
}

/// In fewer passes over the scores than ATen makes on the CPU, where no kernel of its own drops
/// weights. Of float32: of what autocast has made shorter, ATen takes the softmax in float32 too.
torch::Tensor attendAndDrop(const torch::Tensor& q_BHTE, const torch::Tensor& k_BHSE,
    const torch::Tensor& v_BHSE, const torch::Tensor& masked, double dropout, double scale)
{
    const torch::Tensor scores_NTS = torch::baddbmm(hiding(masked, q_BHTE), q_BHTE.flatten(0, 1),
        k_BHSE.flatten(0, 1).transpose(1, 2), 1, scale);
    const torch::Tensor weights_NTS = dropped(torch::softmax(scores_NTS, -1), dropout, true);
    return torch::bmm(weights_NTS, v_BHSE.flatten(0, 1)).unflatten(0, q_BHTE.sizes().slice(0, 2));
}

torch::Tensor attend(const torch::Tensor& q_BHTE, const torch::Tensor& k_BHSE,
    const torch::Tensor& v_BHSE, const torch::Tensor& masked, double dropout, double scale)
{
    if (dropout > 0 && dropsByBits(q_BHTE))
        return attendAndDrop(q_BHTE, k_BHSE, v_BHSE, masked, dropout, scale);
    const auto visible = masked.defined() ? std::optional(masked.logical_not()) : std::nullopt;
    return at::scaled_dot_product_attention(q_BHTE, k_BHSE, v_BHSE, visible, dropout, false, scale);
}

} // namespace

torch::Tensor dotProductAttention(const torch::Tensor& q_BHTE, const torch::Tensor& k_BHSE,
    const torch::Tensor& v_BHSE, const AttentionMask& mask, double dropout, double scale)
{
    return attend(q_BHTE, k_BHSE, v_BHSE, mask.united(), dropout, scale).transpose(1, 2).flatten(2);
}

} // namespace earwright::model
