#include "core/data/doctor.h"
#include "core/model/autocast_off.h"
#include "core/model/ctc_loss.h"
#include "core/train/task/loss_term.h"
#include "core/train/task/paraformer_task.h"

namespace earwright::train {

namespace {

/// What the model sums over the rows, as a mean over tokens or over utterances.
LossTerm termOf(bool isByTokens, int64_t endTokens = 0)
{
    return { .reduction = "sum",
        .over = isByTokens ? LossUnit::Tokens : LossUnit::Utterances,
        .isMean = false,
        .endTokens = endTokens };
}

torch::Tensor tokenCounts(const data::Batch& batch)
{
    return countsOf(batch.tokenLens_B, batch.tokens_BL.size(1)).to(torch::kLong);
}

std::vector<int64_t> tokensOf(const data::Batch& batch, int64_t row, int64_t count)
{
    const int64_t* tokens = batch.tokens_BL[row].data_ptr<int64_t>();
    return { tokens, tokens + count };
}

std::vector<data::RowSize> rowSizes(const data::Batch& batch)
{
    const torch::Tensor samples_B
        = countsOf(batch.wavLens_B, batch.wavs_BT.size(1)).to(torch::kLong);
    const torch::Tensor counts_B = tokenCounts(batch);
    std::vector<data::RowSize> rows;
    for (int64_t row = 0; row < counts_B.size(0); ++row)
        rows.push_back({ samples_B[row].item<int64_t>(),
            data::ctcFramesNeeded(tokensOf(batch, row, counts_B[row].item<int64_t>())) });
    return rows;
}

/// Where a text has hotwords: its own, or any of the batch.
std::vector<data::HotwordSpan> hotwordsIn(
    const data::Batch& batch, size_t row, const std::vector<int64_t>& tokens, bool ofAllTexts)
{
    if (!ofAllTexts)
        return row < batch.hotwordSpans.size() ? batch.hotwordSpans[row]
                                               : std::vector<data::HotwordSpan>();
    std::vector<data::HotwordSpan> all;
    for (const std::vector<int64_t>& hotword : batch.hotwords) {
        const std::vector<data::HotwordSpan> spans = data::spansOf(hotword, tokens);
        all.insert(all.end(), spans.begin(), spans.end());
    }
    return all;
}

} // namespace

model::ParaformerTargets ParaformerTask::targets(const data::Batch& batch) const
{
    return model::targetsOf(batch.tokens_BL.to(device(), true),
        tokenCounts(batch).to(device(), true), m_recogniser->config());
}

torch::Tensor ParaformerTask::recogniserLoss(
    const data::Batch& batch, const model::Encoded& encoded)
{
    const catalog::ParaformerConfig& config = m_recogniser->config();
    const double factor
        = factorOf(termOf(config.lengthNormalizedLoss, config.predictorBias), batch);
    model::ParaformerTerms terms = m_recogniser->terms(encoded, targets(batch));
    tell("", terms.firstScores_BUV);
    if (m_seaco)
        return terms.attention * factor;
    if (m_ctcWeight == 0)
        return terms.weighed(config) * factor;
    terms.attention = terms.attention * (1 - m_ctcWeight);
    return terms.weighed(config) * factor
        + ctcLoss(batch, encoded) * (m_ctcWeight * factorOf(termOf(false), batch));
}

/// A mean over the texts of the whole batch that fit into their frames, as upstream's: a sum, later
/// divided by the rows of the step, in which each counts for more where some do not fit. The
/// lengths stay on the CPU: ATen's CTC loss would wait for the device.
torch::Tensor ParaformerTask::ctcLoss(const data::Batch& batch, const model::Encoded& encoded) const
{
    const torch::Tensor logits = m_ctc->forward(encoded.x_BTD);
    const torch::Tensor lengths_B
        = frameCounts(batch).to(torch::kFloat64) / static_cast<double>(logits.size(1));
    catalog::CtcLossConfig config;
    config.blankIndex = m_recogniser->config().blankId;
    config.reduction = "sum";
    const torch::Tensor sum = model::ctcLoss(logits.to(model::fullType(logits)).log_softmax(-1),
        batch.tokens_BL.to(device(), true), lengths_B, batch.tokenLens_B, config);
    return sum * rowsPerFitting(batch.wholeRows.empty() ? rowSizes(batch) : batch.wholeRows);
}

/// 1 where no text fits.
double ParaformerTask::rowsPerFitting(const std::vector<data::RowSize>& rows) const
{
    std::vector<int64_t> samples;
    for (const data::RowSize& row : rows)
        samples.push_back(row.samples);
    const torch::Tensor frames_N = m_frontend->frameCounts(torch::tensor(samples, torch::kLong));
    int64_t fitting = 0;
    for (size_t i = 0; i < rows.size(); ++i)
        fitting += frames_N.data_ptr<int64_t>()[i] >= rows[i].ctcFrames ? 1 : 0;
    return fitting > 0 ? static_cast<double>(rows.size()) / static_cast<double>(fitting) : 1;
}

/// For each token of a text itself where it belongs to one of the text's own hotwords or, with
/// `hotword_labels: all`, of any in the batch, else seaco_id; -1 past the end. Upstream's labels
/// are the text's own: a hotword that another text has too is "none" there (FunASR#1829).
torch::Tensor ParaformerTask::hotwordLabels(const data::Batch& batch) const
{
    const torch::Tensor counts_B = tokenCounts(batch);
    const torch::Tensor isText = torch::arange(batch.tokens_BL.size(1)) < counts_B.unsqueeze(1);
    torch::Tensor labels_BL = torch::full_like(batch.tokens_BL, m_seaco->config().seacoId)
                                  .masked_fill(isText.logical_not(), -1);
    const bool ofAllTexts = m_seaco->config().hotwordLabels == "all";
    for (int64_t row = 0; row < labels_BL.size(0); ++row) {
        const std::vector<int64_t> tokens = tokensOf(batch, row, counts_B[row].item<int64_t>());
        for (const data::HotwordSpan& span :
            hotwordsIn(batch, static_cast<size_t>(row), tokens, ofAllTexts))
            std::copy(tokens.begin() + span.first, tokens.begin() + span.last + 1,
                labels_BL[row].data_ptr<int64_t>() + span.first);
    }
    return labels_BL;
}

torch::Tensor ParaformerTask::seacoLoss(const data::Batch& batch, const model::Encoded& encoded)
{
    std::vector<std::vector<int64_t>> words = batch.hotwords;
    words.push_back({ m_recogniser->config().sos });
    const torch::Tensor sum = m_seaco->loss(*m_recogniser, encoded, targets(batch),
        model::hotwordsOf(words, device()), hotwordLabels(batch).to(device(), true));
    return sum * factorOf(termOf(m_seaco->config().seacoLengthNormalizedLoss), batch);
}

} // namespace earwright::train
