#include "core/tasks/paraformer/task_frontend.h"

#include "core/data/doctor.h"
#include "core/model/autocast_off.h"
#include "core/model/ctc_loss.h"
#include "core/tasks/paraformer/task_parts.h"

#include <torch/utils.h>

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

Status FrontendTask::takeFrontend()
{
    return take(modules(), "frontend", "WavFrontend", m_frontend);
}

torch::Tensor FrontendTask::frameCounts(const data::Batch& batch) const
{
    return m_frontend->frameCounts(countsOf(batch.wavLens_B, batch.wavs_BT.size(1)));
}

torch::Tensor FrontendTask::features(const data::Batch& batch, Stage stage)
{
    torch::NoGradGuard noGrad; // no gradient goes back into the audio
    // The lengths stay on the CPU, where the frontend reads them.
    torch::Tensor x = spectra(link({ "frontend" }), waves(batch, stage), batch.wavLens_B);
    const torch::Tensor lengths_B
        = (frameCounts(batch).to(torch::kFloat64) / x.size(1)).to(torch::kFloat32);
    x = pass(normalize(), x, lengths_B.to(device(), true));
    if (stage == Stage::Train)
        x = pass(link({ "specaug" }), x, lengths_B);
    return augmented(x, lengths_B, stage);
}

torch::Tensor FrontendTask::validFrames(
    const data::Batch& batch, const torch::Tensor& features_BTF) const
{
    const torch::Tensor valid_BT
        = torch::arange(features_BTF.size(1)) < frameCounts(batch).unsqueeze(1);
    return valid_BT.to(device(), true);
}

/// The lengths stay on the CPU: ATen's CTC loss would wait for the device.
torch::Tensor FrontendTask::textLoss(
    const data::Batch& batch, const torch::Tensor& logits_BTV, int64_t blankId) const
{
    const torch::Tensor lengths_B
        = frameCounts(batch).to(torch::kFloat64) / static_cast<double>(logits_BTV.size(1));
    catalog::CtcLossConfig config;
    config.blankIndex = blankId;
    config.reduction = "sum";
    const torch::Tensor sum
        = model::ctcLoss(logits_BTV.to(model::fullType(logits_BTV)).log_softmax(-1),
            batch.tokens_BL.to(device(), true), lengths_B, batch.tokenLens_B, config);
    return sum * rowsPerFitting(batch.wholeRows.empty() ? rowSizes(batch) : batch.wholeRows);
}

/// 1 where no text fits.
double FrontendTask::rowsPerFitting(const std::vector<data::RowSize>& rows) const
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
