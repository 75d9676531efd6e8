#pragma once

#include "core/decode/timed_segments.h"
#include "core/model/label_loss.h"
#include "core/tasks/whisper/task_search.h"
#include "core/train/task/layered_task.h"
#include "core/train/task/loss_term.h"
#include "core/train/task/nbest_output.h"
#include "core/train/task/stage_searches.h"
#include "core/train/task/timed_output.h"

#include <optional>

namespace earwright::train {

/// task: whisper, as upstream's recipes/LibriSpeech/ASR/transformer/train_with_whisper.py. Waves ->
/// `wav_augment` -> log mel of 30 s -> encoder -> decoder, which is told what begins a text and the
/// text before each token -> `log_softmax` -> `nll_loss`, over the text, its end and all that
/// begins it but <|startoftranscript|>. Texts are those of `valid_search` and `test_search`. The
/// features are the log mels, whose least energy is that of the batch, as upstream.
class WhisperTask final : public LayeredTask, public NBestOutput, public TimedOutput {
public:
    /// Errors: no Whisper with its decoder, a language or task that it does not know, more labels
    /// than it has, a search that cannot be used.
    static Result<std::unique_ptr<Task>> make(const recipe::Node& recipe,
        std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
        const std::string& lossWeighting);

    torch::Tensor features(const data::Batch& batch, Stage stage) override;
    TrainingInput trainingInput(const data::Batch& batch) override;
    using Task::run;
    /// Throws c10::Error for a text that is longer than the decoder has places for.
    TaskOutput run(const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    std::vector<std::string> recognise(
        const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    Status readyFor(Stage stage) override { return m_searches.load(stage); }
    bool searchesBeams() const override { return m_searches.testsByBeams(); }
    void keep(int64_t topk, std::optional<int64_t> beamSize) override
    {
        m_searches.of(Stage::Test)->keep(topk, beamSize);
    }
    std::vector<std::vector<decode::CtcHypothesis>> nBest(
        const data::Batch& batch, const torch::Tensor& features) override;
    /// Errors: no test_search, one with a prefix, a vocabulary that ends before 30 s.
    Status canTellTimes() const override;
    /// By the test's search.
    std::optional<std::vector<TimedText>> timedTexts(
        const data::Batch& batch, const std::function<bool()>& goOn) override;
    /// See Note [Losses of several units].
    LossUnit lossUnit() const override { return LossUnit::Sum; }

private:
    WhisperTask(
        ModuleSet modules, std::shared_ptr<const data::TextEncoder> encoder, c10::Device device);
    Status connect(const recipe::Node& recipe);
    Status readSearches(const recipe::Node& recipe);
    Status readCost(const recipe::Node& recipe, const std::string& lossWeighting);
    torch::Tensor encode(const torch::Tensor& mel_BMF) const;
    torch::Tensor loss(const torch::Tensor& encoder_BTD, const data::Batch& batch) const;
    std::string textOf(const std::vector<int64_t>& tokens) const;
    TimedText timedText(
        const std::vector<decode::TimedTokens>& segments, int64_t soundFrames) const;
    std::vector<std::string> textsOf(
        const torch::Tensor& encoder_BTD, const data::Batch& batch, Stage stage);

    Link m_layer, m_logSoftmax;
    std::optional<SpokenWhisper> m_whisper; ///< none before connect()
    StageSearches<WhisperTextSearch> m_searches;
    model::LabelLossOptions m_cost;
    LossTerm m_term;
};

} // namespace earwright::train
