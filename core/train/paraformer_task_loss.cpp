#include "core/model/autocast_off.h"
#include "core/model/ctc_loss.h"
#include "core/train/paraformer_task.h"

namespace kymo::train {

namespace {

int64_t massOf(int64_t rows, int64_t tokens, LossUnit unit)
{
    const int64_t ends = unit == LossUnit::TokensAndEnds ? rows : 0;
    return std::max<int64_t>(1, unit == LossUnit::Utterances ? rows : tokens + ends);
}

/// A sum over this rank's rows that is to be divided by what `divisor` says of the whole batch, so
/// that the parts' values, weighed by their shares in `unit`, add up to it.
torch::Tensor asShare(
    const torch::Tensor& sum, const data::Batch& batch, LossUnit divisor, LossUnit unit)
{
    const auto own = static_cast<double>(massOf(batch.tokens_BL.size(0), batch.tokens, unit));
    const auto all = static_cast<double>(massOf(batch.wholeSize, batch.wholeTokens, unit));
    const auto by = static_cast<double>(massOf(batch.wholeSize, batch.wholeTokens, divisor));
    return sum * (all / own / by);
}

torch::Tensor tokenCounts(const data::Batch& batch)
{
    return (batch.tokenLens_B.to(torch::kFloat64) * batch.tokens_BL.size(1))
        .round()
        .to(torch::kLong);
}

} // namespace

model::ParaformerTargets ParaformerTask::targets(const data::Batch& batch) const
{
    return model::targetsOf(batch.tokens_BL.to(device(), true),
        tokenCounts(batch).to(device(), true), m_recogniser->config());
}

LossUnit ParaformerTask::lossUnit() const
{
    if (m_seaco)
        return m_seaco->config().seacoLengthNormalizedLoss ? LossUnit::Tokens
                                                           : LossUnit::Utterances;
    if (!m_recogniser->config().lengthNormalizedLoss)
        return LossUnit::Utterances;
    return m_recogniser->config().predictorBias == 1 ? LossUnit::TokensAndEnds : LossUnit::Tokens;
}

torch::Tensor ParaformerTask::recogniserLoss(
    const data::Batch& batch, const model::Encoded& encoded)
{
    const catalog::ParaformerConfig& config = m_recogniser->config();
    const LossUnit divisor = !config.lengthNormalizedLoss ? LossUnit::Utterances
        : config.predictorBias == 1                       ? LossUnit::TokensAndEnds
                                                          : LossUnit::Tokens;
    model::ParaformerTerms terms = m_recogniser->terms(encoded, targets(batch));
    tell("", terms.firstScores_BUV);
    if (m_seaco)
        return asShare(terms.attention, batch, divisor, lossUnit());
    if (m_ctcWeight == 0)
        return asShare(terms.weighed(config), batch, divisor, lossUnit());
    terms.attention = terms.attention * (1 - m_ctcWeight);
    return asShare(terms.weighed(config), batch, divisor, lossUnit())
        + asShare(ctcLoss(batch, encoded) * m_ctcWeight, batch, LossUnit::Utterances, lossUnit());
}

/// A sum over the rows. The lengths stay on the CPU: ATen's CTC loss would wait for the device.
torch::Tensor ParaformerTask::ctcLoss(const data::Batch& batch, const model::Encoded& encoded) const
{
    const torch::Tensor logits = m_ctc->forward(encoded.x_BTD);
    const torch::Tensor lengths_B
        = frameCounts(batch).to(torch::kFloat64) / static_cast<double>(logits.size(1));
    catalog::CtcLossConfig config;
    config.blankIndex = m_recogniser->config().blankId;
    config.reduction = "sum";
    return model::ctcLoss(logits.to(model::fullType(logits)).log_softmax(-1),
        batch.tokens_BL.to(device(), true), lengths_B, batch.tokenLens_B, config);
}

/// For each token of a text itself where it belongs to one of the text's own hotwords, else
/// seaco_id; -1 past the end. Other texts' hotwords in it are not looked for, as upstream.
torch::Tensor ParaformerTask::hotwordLabels(const data::Batch& batch) const
{
    const torch::Tensor counts_B = tokenCounts(batch);
    const torch::Tensor isText = torch::arange(batch.tokens_BL.size(1)) < counts_B.unsqueeze(1);
    torch::Tensor labels = torch::full_like(batch.tokens_BL, m_seaco->config().seacoId)
                               .masked_fill(isText.logical_not(), -1);
    for (size_t row = 0; row < batch.hotwordSpans.size(); ++row) {
        for (const data::HotwordSpan& span : batch.hotwordSpans[row]) {
            const auto of = [&](const torch::Tensor& x) {
                return x[static_cast<int64_t>(row)].slice(0, span.first, span.last + 1);
            };
            of(labels).copy_(of(batch.tokens_BL));
        }
    }
    return labels;
}

torch::Tensor ParaformerTask::seacoLoss(const data::Batch& batch, const model::Encoded& encoded)
{
    std::vector<std::vector<int64_t>> words = batch.hotwords;
    words.push_back({ m_recogniser->config().sos });
    const torch::Tensor sum = m_seaco->loss(*m_recogniser, encoded, targets(batch),
        model::hotwordsOf(words, device()), hotwordLabels(batch).to(device(), true));
    return asShare(sum, batch, lossUnit(), lossUnit());
}

} // namespace kymo::train
