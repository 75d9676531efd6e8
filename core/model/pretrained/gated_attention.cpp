#include "core/model/pretrained/gated_attention.h"

#include <cmath>
#include <torch/utils.h>

namespace earwright::model {

namespace {

constexpr int64_t kGateSums = 2; ///< gates of a head, each the sum of
constexpr int64_t kGateTerms = 4; ///< so many numbers

} // namespace

torch::Tensor distanceBuckets(const torch::Tensor& distances, int64_t buckets, int64_t farthest)
{
    const int64_t side = buckets / 2;
    const int64_t exact = side / 2;
    const torch::Tensor far = distances.abs();
    // In float32, step by step as upstream: it rounds at the borders of buckets.
    torch::Tensor widening = torch::log(far.to(torch::kFloat) / exact);
    widening = widening / std::log(static_cast<double>(farthest) / static_cast<double>(exact));
    const torch::Tensor wide
        = (exact + widening * (side - exact)).clamp_min(0).to(torch::kLong).clamp_max(side - 1);
    return torch::where(far < exact, far, wide) + (distances > 0).to(torch::kLong) * side;
}

GatedAttention::GatedAttention(const EncoderConfig& config, bool isFirst)
    : EncoderAttention(config)
    , m_buckets(config.distanceBuckets)
    , m_farthest(config.farthestDistance)
    , m_constant(register_parameter("gru_rel_pos_const", torch::ones({ 1, config.heads, 1, 1 })))
    , m_gate(register_module(
          "gru_rel_pos_linear", Projection(config.width / config.heads, kGateSums * kGateTerms)))
{
    if (isFirst)
        m_distances = register_module(
            "rel_attn_embed", torch::nn::Embedding(config.distanceBuckets, config.heads));
}

torch::Tensor GatedAttention::distanceScores(int64_t frames) const
{
    const torch::Tensor distances_R = torch::arange(1 - frames, frames, torch::kLong);
    const torch::Tensor buckets_R = distanceBuckets(distances_R, m_buckets, m_farthest);
    const torch::Tensor weight = m_distances->weight;
    const torch::Tensor scores_RH = at::embedding(weight, buckets_R.to(weight.device()));
    // A frame's scores are a window over those of all distances, the last frame's the first.
    return scores_RH.t().unfold(1, frames, 1).flip(1);
}

/// [B, H, T, 1]
torch::Tensor GatedAttention::gate(const torch::Tensor& x_BTD)
{
    const torch::Tensor sums
        = m_gate(headsOf(x_BTD, heads())).unflatten(-1, { kGateSums, kGateTerms }).sum(-1);
    const std::vector<torch::Tensor> gates = torch::sigmoid(sums).chunk(2, -1);
    return gates[0] * (gates[1] * m_constant - 1) + 2;
}

torch::Tensor GatedAttention::forward(const torch::Tensor& x_BTD, const torch::Tensor& isPadding_BT,
    const torch::Tensor& distances_HTT)
{
    return attend(x_BTD, isPadding_BT, gate(x_BTD) * distances_HTT);
}

} // namespace earwright::model
