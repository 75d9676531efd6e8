#pragma once

#include "core/model/paraformer/sense_voice.h"
#include "core/tasks/paraformer/task_frontend.h"

#include <optional>

namespace earwright::train {

/// task: sense_voice, of FunASR's SenseVoiceSmall.
///
/// Frontend -> normalise -> mask -> queries and frames -> encoder -> CTC layer. Read from the
/// recipe: `frontend`, `encoder`, `ctc`, `embed` (a torch.nn.Embedding of 16 rows as wide as the
/// features), optional `normalize`, `specaug`, `wav_augment` and `fea_augment`, and the fields of
/// catalog::SenseVoiceConfig as keys. Batches have four labels a row (Batch::labels): language,
/// emotion, event and style. The loss is label smoothing over them plus the CTC loss of the text.
///
/// In training a row's language is told with probability 0.8, drawn on the CPU row by row, and no
/// language else. In validation and test the encoder is told what transcribing tells it, the key
/// `told_language`; upstream draws there too. The style is the row's own; where the batch has no
/// labels it is that of `use_itn`, and the labels' loss is 0. The texts are those of the best path,
/// with `write_rich_labels` in transcribing as upstream's: behind the labels.
///
/// A part differs from the whole where chance decides: languages are drawn for each part.
class SenseVoiceTask final : public FrontendTask {
public:
    /// Errors: a layer that is missing or of another class, a table of queries of another size, a
    /// field that cannot be read, more labels than outputs, a blank that is none of them.
    static Result<std::unique_ptr<Task>> make(const recipe::Node& recipe,
        std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
        const std::string& lossWeighting);

    using Task::run;
    TaskOutput run(const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    std::vector<std::string> recognise(
        const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    /// See Note [Losses of several units].
    LossUnit lossUnit() const override { return LossUnit::Sum; }

private:
    using FrontendTask::FrontendTask;
    Status read(const recipe::Node& recipe, const std::string& lossWeighting);
    Status checkTable() const;
    Status checkTokens() const;

    model::RichQueries queries(const data::Batch& batch, Stage stage) const;
    int64_t styleOf(const data::Batch& batch, int64_t row) const;
    model::SenseVoiceScores scores(
        const data::Batch& batch, const torch::Tensor& features_BTF, Stage stage);
    torch::Tensor loss(const data::Batch& batch, const model::SenseVoiceScores& scores) const;
    std::vector<std::string> texts(
        const data::Batch& batch, const model::SenseVoiceScores& scores, bool withRich) const;

    std::optional<model::SenseVoice> m_recogniser;
    catalog::SenseVoiceConfig m_config;
};

} // namespace earwright::train
