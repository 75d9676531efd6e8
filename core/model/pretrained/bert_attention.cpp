#include "core/model/pretrained/bert_attention.h"

#include "core/model/pretrained/attention.h"

#include <cmath>
#include <torch/utils.h>

namespace earwright::model {

namespace {

constexpr double kSineBase = 10000;

/// 1 / base^(2i / width), i = 0 … width / 2 - 1
torch::Tensor ratesOf(int64_t width, double base, const torch::TensorOptions& options)
{
    const torch::Tensor places
        = torch::arange(0, width, 2, torch::kFloat) / static_cast<double>(width);
    return torch::exp(places * -std::log(base)).to(options);
}

/// Of distances T - 1 … 1 - T (frame minus what it looks at): sines and cosines in turn, [2T-1, D].
torch::Tensor distanceSines(int64_t frames, int64_t width, const torch::TensorOptions& options)
{
    const torch::Tensor apart_R1
        = torch::arange(frames - 1, -frames, -1, options.dtype(torch::kFloat)).unsqueeze(1);
    const torch::Tensor angles = apart_R1 * ratesOf(width, kSineBase, options.dtype(torch::kFloat));
    return torch::stack({ torch::sin(angles), torch::cos(angles) }, -1).flatten(1).to(options);
}

/// [B, H, T, 2T-1] by distance -> [B, H, T, T] by frame: row t begins T - 1 - t further right.
torch::Tensor byFrame(const torch::Tensor& scores_BHTR)
{
    const int64_t frames = scores_BHTR.size(2);
    const torch::Tensor shifted = torch::constant_pad_nd(scores_BHTR, { 1, 0 })
                                      .flatten(2)
                                      .narrow(2, frames, scores_BHTR.size(3) * frames)
                                      .view(scores_BHTR.sizes());
    return shifted.narrow(3, 0, frames);
}

} // namespace

BertAttention::BertAttention(const EncoderConfig& config)
    : m_config(config)
    , m_q(register_module("linear_q", Projection(config.width, config.width)))
    , m_k(register_module("linear_k", Projection(config.width, config.width)))
    , m_v(register_module("linear_v", Projection(config.width, config.width)))
    , m_out(register_module("linear_out", Projection(config.width, config.width)))
{
    const int64_t headWidth = config.width / config.heads;
    if (config.positions == BertPositions::RelativeKey)
        m_distances = register_module("distance_embedding",
            torch::nn::Embedding(config.leftPositions + config.rightPositions + 1, headWidth));
    if (config.positions != BertPositions::Relative)
        return;
    m_sines = register_module(
        "linear_pos", Projection(torch::nn::LinearOptions(config.width, config.width).bias(false)));
    m_contentBias = register_parameter("pos_bias_u", torch::zeros({ config.heads, headWidth }));
    m_positionBias = register_parameter("pos_bias_v", torch::zeros({ config.heads, headWidth }));
}

torch::Tensor BertAttention::rotated(const torch::Tensor& x_BTD) const
{
    const torch::Tensor x_BTHE = x_BTD.unflatten(2, { m_config.heads, -1 });
    const int64_t half = x_BTHE.size(3) / 2;
    const auto options = x_BTD.options().dtype(torch::kFloat);
    const torch::Tensor angles = torch::outer(torch::arange(x_BTD.size(1), options),
        ratesOf(x_BTHE.size(3), m_config.rotaryBase, options));
    const torch::Tensor angles_T1E = torch::cat({ angles, angles }, -1).unsqueeze(1);
    const torch::Tensor turned
        = torch::cat({ -x_BTHE.narrow(3, half, half), x_BTHE.narrow(3, 0, half) }, -1);
    const torch::Tensor cosines = torch::cos(angles_T1E).to(x_BTD.scalar_type());
    const torch::Tensor sines = torch::sin(angles_T1E).to(x_BTD.scalar_type());
    return (x_BTHE * cosines + turned * sines).flatten(2);
}

/// Each query times the vectors of all distances, then the one of each key is taken.
torch::Tensor BertAttention::keyedScores(const torch::Tensor& q_BHTE) const
{
    const int64_t frames = q_BHTE.size(2);
    const torch::Tensor places = torch::arange(frames, q_BHTE.options().dtype(torch::kLong));
    const torch::Tensor apart_TT = (places.unsqueeze(0) - places.unsqueeze(1))
                                       .clamp(-m_config.leftPositions, m_config.rightPositions)
        + m_config.leftPositions;
    const torch::Tensor scores_BHTR
        = torch::matmul(q_BHTE, m_distances->weight.to(q_BHTE.scalar_type()).t());
    const torch::Tensor ofKeys = scores_BHTR.gather(
        3, apart_TT.expand({ q_BHTE.size(0), q_BHTE.size(1), frames, frames }));
    return ofKeys / std::sqrt(static_cast<double>(q_BHTE.size(3)));
}

torch::Tensor BertAttention::sineScores(const torch::Tensor& q_BHTE)
{
    const torch::Tensor sines_RD = distanceSines(q_BHTE.size(2), m_config.width, q_BHTE.options());
    const torch::Tensor sines_HER
        = m_sines(sines_RD).unflatten(1, { m_config.heads, -1 }).permute({ 1, 2, 0 });
    const torch::Tensor scores_BHTR
        = torch::matmul(q_BHTE + m_positionBias.unsqueeze(1), sines_HER);
    return byFrame(scores_BHTR) / std::sqrt(static_cast<double>(q_BHTE.size(3)));
}

torch::Tensor BertAttention::forward(const torch::Tensor& x_BTD, const torch::Tensor& isPadding_BT)
{
    const torch::Tensor placed_BTD
        = m_config.positions == BertPositions::Rotary ? rotated(x_BTD) : x_BTD;
    torch::Tensor q_BHTE = headsOf(m_q(placed_BTD), m_config.heads);
    torch::Tensor scores_BHTT;
    if (m_config.positions == BertPositions::RelativeKey)
        scores_BHTT = keyedScores(q_BHTE);
    if (m_config.positions == BertPositions::Relative) {
        scores_BHTT = sineScores(q_BHTE);
        q_BHTE = q_BHTE + m_contentBias.unsqueeze(1);
    }
    return m_out(scoredAttention(q_BHTE, headsOf(m_k(placed_BTD), m_config.heads),
        headsOf(m_v(x_BTD), m_config.heads), isPadding_BT, scores_BHTT,
        is_training() ? m_config.attentionDropout : 0));
}

} // namespace earwright::model
