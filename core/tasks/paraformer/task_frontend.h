#pragma once

#include "core/model/paraformer/wav_frontend.h"
#include "core/train/task/layered_task.h"

namespace earwright::train {

/// What the tasks of FunASR's models share: `frontend` -> `normalize` -> `specaug`, with
/// `wav_augment` before and `fea_augment` behind, and the frames that come of it.
class FrontendTask : public LayeredTask {
public:
    torch::Tensor features(const data::Batch& batch, Stage stage) override;

protected:
    using LayeredTask::LayeredTask;
    /// The error: the recipe has no WavFrontend.
    Status takeFrontend();

    /// Of each row, int64 on the CPU.
    torch::Tensor frameCounts(const data::Batch& batch) const;
    /// bool [batch, time] on the device.
    torch::Tensor validFrames(const data::Batch& batch, const torch::Tensor& features_BTF) const;

    /// The CTC loss of an utterance's text: a sum over this part's rows, whose step is divided by
    /// its utterances later. So it becomes a mean over the texts of the whole batch that fit into
    /// their frames, as upstream's, in which each counts for more where some do not fit.
    /// logits_BTV: of the batch's frames alone.
    torch::Tensor textLoss(
        const data::Batch& batch, const torch::Tensor& logits_BTV, int64_t blankId) const;

private:
    double rowsPerFitting(const std::vector<data::RowSize>& rows) const;

    std::shared_ptr<model::WavFrontend> m_frontend;
};

} // namespace earwright::train
