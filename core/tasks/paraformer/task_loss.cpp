#include "core/data/doctor.h"
#include "core/model/autocast_off.h"
#include "core/model/ctc_loss.h"
#include "core/tasks/paraformer/task.h"
#include "core/tasks/paraformer/task_parts.h"

namespace earwright::train {

namespace {

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

} // namespace

model::ParaformerTargets ParaformerTask::targets(const data::Batch& batch) const
{
    return model::targetsOf(batch.tokens_BL.to(device(), true),
        tokenCounts(batch).to(device(), true), m_recogniser->config());
}

double ParaformerTask::termFactor(const data::Batch& batch) const
{
    const catalog::ParaformerConfig& config = m_recogniser->config();
    return factorOf(sumTerm(config.lengthNormalizedLoss, config.predictorBias), batch);
}

model::ParaformerTerms ParaformerTask::terms(
    const data::Batch& batch, const model::Encoded& encoded)
{
    model::ParaformerTerms terms = m_recogniser->terms(encoded, targets(batch));
    tell("", terms.firstScores_BUV);
    return terms;
}

torch::Tensor ParaformerTask::loss(const data::Batch& batch, const model::Encoded& encoded)
{
    const catalog::ParaformerConfig& config = m_recogniser->config();
    const double factor = termFactor(batch);
    model::ParaformerTerms terms = this->terms(batch, encoded);
    if (m_ctcWeight == 0)
        return terms.weighed(config) * factor;
    terms.attention = terms.attention * (1 - m_ctcWeight);
    return terms.weighed(config) * factor
        + ctcLoss(batch, encoded) * (m_ctcWeight * factorOf(sumTerm(false), batch));
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

} // namespace earwright::train
