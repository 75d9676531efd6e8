#pragma once

#include "core/model/paraformer/ctc_branch.h"
#include "core/model/paraformer/seaco.h"
#include "core/model/paraformer/wav_frontend.h"
#include "core/train/task/hotword_list.h"
#include "core/train/task/layered_task.h"

#include <optional>

namespace earwright::train {

/// task: paraformer and task: seaco_paraformer, of FunASR's Paraformer, BiCifParaformer (where the
/// predictor is a CifPredictorV3) and SeacoParaformer.
///
/// Frontend -> normalise -> mask -> encoder -> predictor -> decoder; one token for each place where
/// the predictor fires. Read from the recipe: `frontend`, `encoder`, `predictor`, `decoder`,
/// optional `normalize`, `specaug`, `wav_augment` and `fea_augment`, and the fields of
/// catalog::ParaformerConfig as keys. SeACo reads `bias_encoder`, `seaco_decoder`,
/// `hotword_output_layer`, `lstm_proj` (of a bidirectional bias encoder), the fields of
/// catalog::SeacoConfig, and `hotword`: a file with one hotword a line, or words separated by
/// spaces, with which it validates and tests. Without it these decode as a Paraformer does. A
/// hotword with a character that no token stands for is left out. With `ctc_weight` a Paraformer's
/// encoder learns by `ctc` too, an utterance's CTC loss beside the decoder's: ctc_weight * ctc + (1
/// - ctc_weight) * attention + the predictor's.
///
/// The hotwords of a batch are sampled from all its texts, whatever part of them this rank has.
/// A part differs from the whole where chance decides (dropout, dither, masks, the tokens that the
/// sampler tells the decoder), which is drawn for each part, and, with threshold 1 as upstream,
/// where one rounding decides whether the last token of a text fires. Accumulated batches have
/// hotwords each of their own.
class ParaformerTask final : public LayeredTask, public HotwordListener {
public:
    static Result<std::unique_ptr<Task>> make(const recipe::Node& recipe,
        std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
        const std::string& lossWeighting);

    using Task::run;
    torch::Tensor features(const data::Batch& batch, Stage stage) override;
    TaskOutput run(const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    std::vector<std::string> recognise(
        const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    /// See Note [Losses of several units].
    LossUnit lossUnit() const override { return LossUnit::Sum; }
    Status listenFor(const std::vector<std::string>& phrases) override;
    Status prefer(double nats) override;
    const std::vector<std::string>& leftOut() const override { return m_leftOut; }
    const std::string& hint() const override { return m_hint; }

private:
    using LayeredTask::LayeredTask;
    Status readRecogniser(const recipe::Node& recipe, const std::string& lossWeighting);
    Status readCtc(const recipe::Node& recipe);
    Status readSeaco(const recipe::Node& recipe, const std::string& lossWeighting);
    Status checkTokens() const;
    Status checkListens() const;
    void leaveOut(const std::string& phrase);

    torch::Tensor frameCounts(const data::Batch& batch) const;
    model::Encoded encode(const data::Batch& batch, const torch::Tensor& features_BTF);
    model::ParaformerTargets targets(const data::Batch& batch) const;
    torch::Tensor recogniserLoss(const data::Batch& batch, const model::Encoded& encoded);
    torch::Tensor ctcLoss(const data::Batch& batch, const model::Encoded& encoded) const;
    double rowsPerFitting(const std::vector<data::RowSize>& rows) const;
    torch::Tensor seacoLoss(const data::Batch& batch, const model::Encoded& encoded);
    torch::Tensor hotwordLabels(const data::Batch& batch) const;
    std::vector<std::string> textsOf(const model::Encoded& encoded);
    torch::Tensor biased(const model::ParaformerDecoded& decoded) const;
    torch::Tensor withHotwords(
        const model::ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD) const;
    torch::Tensor preferring(
        const model::ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD) const;

    std::shared_ptr<model::WavFrontend> m_frontend;
    std::shared_ptr<model::CtcBranch> m_ctc;
    double m_ctcWeight = 0;
    std::optional<model::Paraformer> m_recogniser;
    std::optional<model::Seaco> m_seaco;
    std::vector<std::string> m_leftOut; ///< of the hotwords
    std::string m_hint;
    std::vector<std::vector<int64_t>> m_hotwords; ///< of validation and test, with [sos] last
};

} // namespace earwright::train
