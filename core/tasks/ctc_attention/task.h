#pragma once

#include "core/model/label_loss.h"
#include "core/tasks/ctc_attention/task_bayesian.h"
#include "core/train/task/attention_search.h"
#include "core/train/task/ctc_output.h"
#include "core/train/task/loss_term.h"
#include "core/train/task/nbest_output.h"
#include "core/train/task/speech_task.h"
#include "core/train/task/stage_searches.h"

#include <optional>

namespace earwright::train {

/// task: ctc_attention, as upstream's recipes/LibriSpeech/ASR/transformer/train.py, and with a
/// pretrained encoder as recipes/AISHELL-1/ASR/transformer/train_with_wav2vect.py. Features ->
/// normalise -> augment -> `CNN` (or waves -> augment -> the pretrained encoder) -> `Transformer`,
/// which is told the text before each token; from its encoder `ctc_lin`, from its decoder
/// `seq_lin`, each with `log_softmax`. Loss: ctc_weight * ctc_cost + (1 - ctc_weight) * seq_cost.
/// Texts are those of `valid_search` and `test_search`, of the CTC output's best path where the
/// recipe has none; in validation only after each `valid_search_interval`-th epoch. Counts
/// LabelHits of the decoder. With `kl_div_weight` its feed-forward weights are drawn
/// (BayesianPasses).
class CtcAttentionTask final : public SpeechTask, public CtcOutput, public NBestOutput {
public:
    /// Errors: an object that is missing, a Transformer without a decoder, a `seq_cost` other than
    /// kldiv_loss and nll_loss, an index beyond the labels.
    static Result<std::unique_ptr<Task>> make(const recipe::Node& recipe,
        std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
        const std::string& lossWeighting);

    void startEpoch(int64_t epoch) override;
    using Task::run;
    TaskOutput run(const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    std::vector<std::string> recognise(
        const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    /// Boundaries are no part of a text: they never come.
    torch::Tensor ctcLogProbs(const data::Batch& batch, const torch::Tensor& features) override;
    Status readyFor(Stage stage) override { return m_searches.load(stage); }
    int64_t blankIndex() const override { return ctcCost().blankIndex; }
    bool searchesBeams() const override { return m_searches.testsByBeams(); }
    void keep(int64_t topk, std::optional<int64_t> beamSize) override
    {
        m_searches.of(Stage::Test)->keep(topk, beamSize);
    }
    std::vector<std::vector<decode::CtcHypothesis>> nBest(
        const data::Batch& batch, const torch::Tensor& features) override;
    /// See Note [Losses of several units].
    LossUnit lossUnit() const override { return LossUnit::Sum; }

private:
    using SpeechTask::SpeechTask;
    struct Outputs {
        torch::Tensor encoder_BTD;
        torch::Tensor ctc_BTV; ///< log probabilities
        torch::Tensor seq_BUV; ///< log probabilities
    };
    Status connect(const recipe::Node& recipe);
    Status readIndices(const recipe::Node& recipe);
    Status readSearches(const recipe::Node& recipe);
    Status readCosts(const recipe::Node& recipe, const std::string& lossWeighting);
    Outputs forward(
        const data::Batch& batch, const torch::Tensor& features, const torch::Tensor& lengths_B);
    torch::Tensor ctcLoss(const torch::Tensor& logProbs_BTV, const data::Batch& batch) const;
    torch::Tensor seqLoss(const torch::Tensor& logProbs_BUV, const data::Batch& batch) const;
    torch::Tensor encode(const torch::Tensor& features, const torch::Tensor& lengths_B);
    /// Once, or as BayesianPasses has it.
    model::TransformerAsr::Outputs passed(
        const std::function<model::TransformerAsr::Outputs()>& pass);
    torch::Tensor ctcOf(const torch::Tensor& encoder_BTD);
    std::string textOf(std::vector<int64_t> tokens) const;
    std::vector<std::string> searchTexts(const AttentionSearch& search,
        const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B);
    std::vector<std::string> textsOf(
        const Outputs& outputs, const torch::Tensor& lengths_B, Stage stage);

    Link m_cnn, m_ctcLin, m_seqLin;
    std::string m_transformerKey;
    std::shared_ptr<model::TransformerAsr> m_transformer;
    std::optional<BayesianPasses> m_bayesian;
    StageSearches<AttentionSearch> m_searches;
    LossTerm m_ctcTerm, m_seqTerm;
    decltype(&model::nllLoss) m_seqCost = nullptr;
    model::LabelLossOptions m_seqOptions;
    double m_ctcWeight = 0;
    int64_t m_validSearchInterval = 1; ///< epochs
    bool m_searchesValid = true; ///< in the epoch under way
    int64_t m_bosIndex = 0, m_eosIndex = 0, m_padIndex = 0;
};

} // namespace earwright::train
