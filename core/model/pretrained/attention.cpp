#include "core/model/pretrained/attention.h"

#include "core/model/pretrained/gated_attention.h"
#include "core/model/transformer/dot_product.h"

#include <cmath>
#include <torch/utils.h>

namespace earwright::model {

EncoderAttention::EncoderAttention(const EncoderConfig& config)
    : m_heads(config.heads)
    , m_dropout(config.attentionDropout)
    , m_q(register_module("q_proj", Projection(config.width, config.width)))
    , m_k(register_module("k_proj", Projection(config.width, config.width)))
    , m_v(register_module("v_proj", Projection(config.width, config.width)))
    , m_out(register_module("out_proj", Projection(config.width, config.width)))
{
}

torch::Tensor headsOf(const torch::Tensor& x_BTD, int64_t heads)
{
    return x_BTD.unflatten(2, { heads, -1 }).transpose(1, 2);
}

torch::Tensor scoredAttention(const torch::Tensor& q_BHTE, const torch::Tensor& k_BHTE,
    const torch::Tensor& v_BHTE, const torch::Tensor& isPadding_BT,
    const torch::Tensor& scores_BHTT, double dropout)
{
    const double scale = 1 / std::sqrt(static_cast<double>(q_BHTE.size(3)));
    if (!scores_BHTT.defined())
        return dotProductAttention(q_BHTE, k_BHTE, v_BHTE, { isPadding_BT, {} }, dropout, scale);
    torch::Tensor scores = scores_BHTT.to(q_BHTE.scalar_type());
    if (isPadding_BT.defined())
        scores = scores.masked_fill(isPadding_BT.unsqueeze(1).unsqueeze(1), -INFINITY);
    return at::scaled_dot_product_attention(q_BHTE, k_BHTE, v_BHTE, scores, dropout, false, scale)
        .transpose(1, 2)
        .flatten(2);
}

torch::Tensor EncoderAttention::attend(
    const torch::Tensor& x_BTD, const torch::Tensor& isPadding_BT, const torch::Tensor& scores_BHTT)
{
    return m_out(scoredAttention(headsOf(m_q(x_BTD), m_heads), headsOf(m_k(x_BTD), m_heads),
        headsOf(m_v(x_BTD), m_heads), isPadding_BT, scores_BHTT, is_training() ? m_dropout : 0));
}

torch::Tensor EncoderAttention::forward(
    const torch::Tensor& x_BTD, const torch::Tensor& isPadding_BT, const torch::Tensor&)
{
    return attend(x_BTD, isPadding_BT, {});
}

std::shared_ptr<EncoderAttention> makeEncoderAttention(const EncoderConfig& config, bool isFirst)
{
    if (config.family == EncoderFamily::WavLm)
        return std::make_shared<GatedAttention>(config, isFirst);
    return std::make_shared<EncoderAttention>(config);
}

} // namespace earwright::model
