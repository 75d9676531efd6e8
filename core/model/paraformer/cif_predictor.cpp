#include "core/model/paraformer/cif_predictor.h"

#include "core/model/autocast_off.h"
#include "core/model/depthwise.h"
#include "core/model/dropout.h"
#include "core/model/paraformer/sanm_encoder.h"
#include "core/model/rounded_convolution.h"

namespace earwright::model {

namespace {

/// Below this the integral of a token that is there may stay by rounding.
constexpr double kRounding = 1e-4;

/// [batch, time] weights of scores [batch, time, 1]; padding has none.
torch::Tensor weightsOf(
    const torch::Tensor& scores_BT1, double factor, double noise, const torch::Tensor& valid_BT)
{
    return (torch::relu(torch::sigmoid(scores_BT1) * factor - noise) * valid_BT.unsqueeze(-1))
        .squeeze(-1);
}

/// As `layer` computes it. On a GPU without a plan for each length: Note [Depthwise convolutions on
/// a GPU] and Note [Few lengths for cuDNN].
torch::Tensor convolvedFrames(
    torch::nn::Conv1dImpl& layer, const torch::Tensor& x_BDT, int64_t before, int64_t after)
{
    const bool isDepthwise = layer.options.groups() == x_BDT.size(1);
    if (isDepthwise || !x_BDT.is_cuda())
        return depthwise(layer, torch::constant_pad_nd(x_BDT, { before, after }));
    return convolvedRounded(x_BDT.unsqueeze(2),
        { .weight = layer.weight.unsqueeze(2),
            .bias = layer.bias,
            .sides = { before, after, 0, 0 },
            .mode = "constant",
            .timeDim = 3 })
        .squeeze(2);
}

torch::Tensor scaledTo(const torch::Tensor& alphas_BT, const torch::Tensor& tokens_B)
{
    return alphas_BT * (tokens_B / alphas_BT.sum(-1)).unsqueeze(1);
}

} // namespace

CifPredictor::CifPredictor(const catalog::CifPredictorConfig& config, CifVersion version)
    : m_config(config)
    , m_version(version)
    , m_convolution(register_module("cif_conv1d",
          torch::nn::Conv1d(
              torch::nn::Conv1dOptions(config.idim, config.idim, config.lOrder + config.rOrder + 1)
                  .groups(version == CifVersion::V1 ? config.idim : 1))))
    , m_output(register_module("cif_output", Projection(config.idim, 1)))
{
}

torch::Tensor CifPredictor::query(const torch::Tensor& hidden_BDT)
{
    const torch::Tensor y
        = convolvedFrames(*m_convolution, hidden_BDT, m_config.lOrder, m_config.rOrder);
    if (m_version != CifVersion::V1)
        return torch::relu(y);
    return torch::relu(dropped(y + hidden_BDT, m_config.dropout, is_training()));
}

CifFrames CifPredictor::integrate(const torch::Tensor& hidden_BTD, const torch::Tensor& alphas_BT,
    std::optional<int64_t> tokens) const
{
    return m_version == CifVersion::V2 ? cifFromSums(hidden_BTD, alphas_BT, tokens)
                                       : cif(hidden_BTD, alphas_BT, m_config.threshold, tokens);
}

torch::Tensor CifPredictor::withTail(
    const torch::Tensor& alphas_BT, const torch::Tensor& valid_BT) const
{
    const torch::Tensor longer = torch::constant_pad_nd(alphas_BT, { 0, 1 });
    const bool isAtTheEnd = m_version == CifVersion::V2 && !m_config.tailMask;
    const torch::Tensor valid = isAtTheEnd ? torch::ones_like(valid_BT) : valid_BT;
    const torch::Tensor isAfterLast
        = torch::constant_pad_nd(valid, { 1, 0 }, 1)
              .logical_and(torch::constant_pad_nd(valid, { 0, 1 }, 0).logical_not());
    return longer + isAfterLast * m_config.tailThreshold;
}

CifPrediction CifPredictor::predictBy(const torch::Tensor& query_BDT,
    const torch::Tensor& hidden_BTD, const torch::Tensor& valid_BT,
    const std::optional<TokenTargets>& targets)
{
    torch::Tensor alphas = weightsOf(m_output(query_BDT.transpose(1, 2)), m_config.smoothFactor,
        m_config.noiseThreshold, valid_BT);
    if (targets) {
        const torch::Tensor counted = alphas.sum(-1);
        alphas = scaledTo(alphas, targets->counts_B);
        const CifFrames frames = integrate(hidden_BTD, alphas, targets->most);
        return { frames.embeds_BUD, counted, alphas, frames.peaks_BT, {} };
    }
    if (m_config.tailThreshold <= 0) {
        const CifFrames frames = integrate(hidden_BTD, alphas, {});
        return { frames.embeds_BUD, alphas.sum(-1), alphas, frames.peaks_BT, {} };
    }
    alphas = withTail(alphas, valid_BT);
    const torch::Tensor counted = alphas.sum(-1).floor();
    const CifFrames frames = integrate(
        torch::constant_pad_nd(hidden_BTD, { 0, 0, 0, 1 }), alphas, counted.max().item<int64_t>());
    return { frames.embeds_BUD, counted, alphas, frames.peaks_BT, {} };
}

CifPrediction CifPredictor::predict(const torch::Tensor& hidden_BTD, const torch::Tensor& valid_BT,
    const std::optional<TokenTargets>& targets)
{
    const AutocastOff off(hidden_BTD.device().type());
    const torch::Tensor hidden = hidden_BTD.to(fullType(hidden_BTD));
    return predictBy(query(hidden.transpose(1, 2)), hidden, valid_BT, targets);
}

torch::Tensor CifPredictor::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    return predict(input, validFrames(lengths_B, input)).embeds_BUD;
}

CifPredictorV3::CifPredictorV3(const catalog::CifPredictorV3Config& config)
    : CifPredictor(config, CifVersion::V3)
    , m_config(config)
{
    TORCH_CHECK(config.upsampleType != "cnn_attn",
        "Earwright builds a CifPredictorV3 with upsample_type 'cnn' or 'cnn_blstm', not "
        "'cnn_attn'");
    const bool isRecurrent = config.upsampleType == "cnn_blstm";
    m_upsample = register_module("upsample_cnn",
        torch::nn::ConvTranspose1d(
            torch::nn::ConvTranspose1dOptions(config.idim, config.idim, config.upsampleTimes)
                .stride(config.upsampleTimes)));
    if (isRecurrent)
        m_recurrent = register_module("blstm",
            torch::nn::LSTM(torch::nn::LSTMOptions(config.idim, config.idim)
                                .batch_first(true)
                                .bidirectional(true)));
    m_output2 = register_module(
        "cif_output2", Projection(isRecurrent ? 2 * config.idim : config.idim, 1));
}

torch::Tensor CifPredictorV3::fineAlphas(
    const torch::Tensor& hidden_BDT, const torch::Tensor& query_BDT, const torch::Tensor& valid_BT)
{
    torch::Tensor fine = m_upsample(m_config.useCif1Cnn ? query_BDT : hidden_BDT).transpose(1, 2);
    if (m_recurrent)
        fine = std::get<0>(m_recurrent(fine));
    return weightsOf(m_output2(fine), m_config.smoothFactor2, m_config.noiseThreshold2,
        valid_BT.repeat_interleave(m_config.upsampleTimes, 1));
}

CifPrediction CifPredictorV3::predict(const torch::Tensor& hidden_BTD,
    const torch::Tensor& valid_BT, const std::optional<TokenTargets>& targets)
{
    const AutocastOff off(hidden_BTD.device().type());
    const torch::Tensor hidden = hidden_BTD.to(fullType(hidden_BTD));
    const torch::Tensor queries = query(hidden.transpose(1, 2));
    CifPrediction prediction = predictBy(queries, hidden, valid_BT, targets);
    prediction.tokens2_B = fineAlphas(hidden.transpose(1, 2), queries, valid_BT).sum(-1);
    return prediction;
}

TokenTimes CifPredictorV3::times(
    const torch::Tensor& hidden_BTD, const torch::Tensor& valid_BT, const torch::Tensor& tokens_B)
{
    const AutocastOff off(hidden_BTD.device().type());
    const torch::Tensor hidden_BDT = hidden_BTD.to(fullType(hidden_BTD)).transpose(1, 2);
    const torch::Tensor fine
        = scaledTo(fineAlphas(hidden_BDT, query(hidden_BDT), valid_BT), tokens_B);
    const torch::Tensor coarse = fine.view({ fine.size(0), -1, m_config.upsampleTimes }).sum(-1);
    const double threshold = m_config.threshold - kRounding;
    return { coarse, cifPeaks(coarse, threshold), fine, cifPeaks(fine, threshold) };
}

} // namespace earwright::model
