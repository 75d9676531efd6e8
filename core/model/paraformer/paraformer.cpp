#include "core/model/paraformer/paraformer.h"

#include "core/model/autocast_off.h"
#include "core/model/label_loss.h"

#include <torch/utils.h>

namespace earwright::model {

namespace {

torch::Tensor validUpTo(const torch::Tensor& counts_B, int64_t size)
{
    return torch::arange(size, counts_B.options()) < counts_B.unsqueeze(1);
}

torch::Tensor distance(const torch::Tensor& counts_B, const torch::Tensor& predicted_B)
{
    return (counts_B.to(predicted_B.scalar_type()) - predicted_B).abs().sum();
}

/// Of the places where `may` holds, as many of a row as told: those of the lowest keys.
torch::Tensor chosen(
    const torch::Tensor& keys_BU, const torch::Tensor& may_BU, const torch::Tensor& counts_B)
{
    const torch::Tensor rank
        = keys_BU.masked_fill(may_BU.logical_not(), std::numeric_limits<double>::infinity())
              .argsort(true, -1)
              .argsort(true, -1);
    return (rank < counts_B.unsqueeze(1)).logical_and(may_BU);
}

} // namespace

ParaformerTargets targetsOf(const torch::Tensor& tokens_BL, const torch::Tensor& counts_B,
    const catalog::ParaformerConfig& config)
{
    const torch::Tensor counts = counts_B.to(torch::kLong);
    const torch::Tensor wide = torch::constant_pad_nd(tokens_BL, { 0, config.predictorBias });
    const torch::Tensor isText = validUpTo(counts, wide.size(1));
    const torch::Tensor all = counts + config.predictorBias;
    const torch::Tensor valid = validUpTo(all, wide.size(1));
    const torch::Tensor tokens = wide.masked_fill(isText.logical_not(), config.eos)
                                     .masked_fill(valid.logical_not(), kIgnored);
    return { tokens, all, valid };
}

torch::Tensor ParaformerTerms::weighed(const catalog::ParaformerConfig& config) const
{
    const torch::Tensor loss = attention + length * config.predictorWeight;
    return fineLength.defined() ? loss + fineLength * (config.predictorWeight / 2) : loss;
}

Encoded Paraformer::encode(const torch::Tensor& features_BTF, const torch::Tensor& valid_BT) const
{
    return { m_layers.encoder->encode(features_BTF, valid_BT), valid_BT };
}

CifPrediction Paraformer::align(const Encoded& encoded, const ParaformerTargets& targets) const
{
    return m_layers.predictor->CifPredictor::predict(encoded.x_BTD, encoded.valid_BT,
        TokenTargets { targets.counts_B, targets.tokens_BU.size(1) });
}

Paraformer::Sampled Paraformer::sample(const Encoded& encoded, const ParaformerTargets& targets,
    const torch::Tensor& embeds_BUD, const torch::Tensor& keys_BU) const
{
    ParaformerDecoder& decoder = *m_layers.decoder;
    torch::Tensor scores;
    torch::Tensor told;
    {
        const torch::NoGradGuard noGrad;
        scores = decoder.scores(decoder.hidden(embeds_BUD, targets.valid_BU, encoded));
        const torch::Tensor isRight = scores.argmax(-1) == targets.tokens_BU;
        const torch::Tensor wrong_B = isRight.logical_not().logical_and(targets.valid_BU).sum(1);
        const torch::Tensor count_B
            = (wrong_B.to(torch::kFloat) * m_config.samplingRatio).to(torch::kLong);
        told = chosen(keys_BU.defined()
                ? keys_BU
                : torch::rand(targets.valid_BU.sizes(), embeds_BUD.options().dtype(torch::kFloat)),
            targets.valid_BU, count_B)
                   .unsqueeze(-1);
    }
    const torch::Tensor truth
        = decoder.embedding()(targets.tokens_BU.masked_fill(targets.valid_BU.logical_not(), 0));
    const torch::Tensor embeds = torch::where(told, truth.to(embeds_BUD.scalar_type()), embeds_BUD);
    return { embeds * targets.valid_BU.unsqueeze(-1), scores };
}

ParaformerTerms Paraformer::terms(
    const Encoded& encoded, const ParaformerTargets& targets, const torch::Tensor& keys_BU) const
{
    const CifPrediction predicted = m_layers.predictor->predict(encoded.x_BTD, encoded.valid_BT,
        TokenTargets { targets.counts_B, targets.tokens_BU.size(1) });
    Sampled sampled { predicted.embeds_BUD, {} };
    if (m_config.samplingRatio > 0)
        sampled = sample(encoded, targets, predicted.embeds_BUD, keys_BU);
    ParaformerDecoder& decoder = *m_layers.decoder;
    const torch::Tensor scores
        = decoder.scores(decoder.hidden(sampled.embeds_BUD, targets.valid_BU, encoded));
    ParaformerTerms terms;
    terms.attention
        = labelSmoothingSum(scores, targets.tokens_BU, { m_config.lsmWeight, kIgnored });
    terms.length = distance(targets.counts_B, predicted.tokens_B);
    if (predicted.tokens2_B.defined())
        terms.fineLength = distance(targets.counts_B, predicted.tokens2_B);
    terms.firstScores_BUV = (sampled.scores_BUV.defined() ? sampled.scores_BUV : scores).detach();
    return terms;
}

ParaformerDecoded Paraformer::decode(const Encoded& encoded) const
{
    const CifPrediction predicted
        = m_layers.predictor->CifPredictor::predict(encoded.x_BTD, encoded.valid_BT);
    ParaformerDecoded decoded;
    decoded.embeds_BUD = predicted.embeds_BUD;
    decoded.counts_B = predicted.tokens_B.round().to(torch::kLong);
    decoded.valid_BU = validUpTo(decoded.counts_B, predicted.embeds_BUD.size(1));
    if (decoded.embeds_BUD.size(1) == 0)
        return decoded;
    ParaformerDecoder& decoder = *m_layers.decoder;
    decoded.hidden_BUD = decoder.hidden(decoded.embeds_BUD, decoded.valid_BU, encoded);
    const torch::Tensor scores = decoder.scores(decoded.hidden_BUD);
    const AutocastOff fullPrecision(scores.device().type());
    decoded.logProbs_BUV = scores.to(fullType(scores)).log_softmax(-1);
    return decoded;
}

std::vector<std::vector<int64_t>> Paraformer::texts(
    const torch::Tensor& logProbs_BUV, const torch::Tensor& counts_B) const
{
    const torch::Tensor best = logProbs_BUV.argmax(-1).cpu().contiguous();
    const torch::Tensor counts = counts_B.cpu().contiguous();
    std::vector<std::vector<int64_t>> texts(static_cast<size_t>(best.size(0)));
    for (int64_t row = 0; row < best.size(0); ++row) {
        const int64_t* tokens = best.data_ptr<int64_t>() + row * best.size(1);
        const int64_t count = std::min(counts.data_ptr<int64_t>()[row], best.size(1));
        std::copy_if(tokens, tokens + count, std::back_inserter(texts[static_cast<size_t>(row)]),
            [this](int64_t token) {
                return token != m_config.sos && token != m_config.eos && token != m_config.blankId;
            });
    }
    return texts;
}

} // namespace earwright::model
