#pragma once

#include "core/train/task/ctc_output.h"
#include "core/train/task/ctc_search.h"
#include "core/train/task/speech_task.h"

#include <optional>

namespace earwright::train {

/// task: ctc. Features -> normalise -> augment -> CNN -> encoder -> linear -> log softmax -> CTC
/// loss; with a pretrained encoder, waves -> downsampler -> augment -> it -> encoder and so on.
/// `back_end_ffn` is behind the encoder; with `upsampling` each output of linear becomes several
/// frames. Texts are those of the best path, in the test of `test_beam_search` where the recipe has
/// one. Reads the keys that core/README.md lists for the task.
class CtcTask final : public SpeechTask, public CtcOutput {
public:
    /// Errors: an object that is missing, a list of layers for the encoder, fewer outputs than
    /// labels, a `test_beam_search` that cannot be used.
    static Result<std::unique_ptr<Task>> make(const recipe::Node& recipe,
        std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
        const std::string& lossWeighting);

    using Task::run;
    TaskOutput run(const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    std::vector<std::string> recognise(
        const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    LossUnit lossUnit() const override { return m_lossUnit; }
    torch::Tensor ctcLogProbs(const data::Batch& batch, const torch::Tensor& features) override;
    int64_t blankIndex() const override { return m_loss.blankIndex; }

private:
    using SpeechTask::SpeechTask;
    Status connect(const recipe::Node& recipe, const std::string& lossWeighting);
    Status readSearch(const recipe::Node& recipe);
    std::vector<std::string> texts(
        const torch::Tensor& logProbs_BTV, const data::Batch& batch, Stage stage) const;
    torch::Tensor logProbs(const data::Batch& batch, const torch::Tensor& features, Stage stage);
    torch::Tensor loss(const torch::Tensor& logProbs_BTV, const data::Batch& batch) const;

    /// [B, T, n V] -> [B, T n, V]
    torch::Tensor upsampled(const torch::Tensor& logits) const;

    Link m_cnn, m_encoder, m_backEnd, m_output;
    int64_t m_framesOfOne = 1; ///< `upsampling`
    std::optional<CtcSearcher> m_testSearch; ///< none: the best path
    catalog::CtcLossConfig m_loss; ///< with the reduction that m_lossUnit asks for
    LossUnit m_lossUnit = LossUnit::Utterances;
};

} // namespace earwright::train
