#pragma once

#include "core/model/paraformer/ctc_branch.h"
#include "core/model/paraformer/paraformer.h"
#include "core/tasks/paraformer/task_frontend.h"
#include "core/train/task/hotword_list.h"

#include <optional>

namespace earwright::train {

/// task: paraformer, of FunASR's Paraformer and BiCifParaformer (where the predictor is a
/// CifPredictorV3).
///
/// Frontend -> normalise -> mask -> encoder -> predictor -> decoder; one token for each place where
/// the predictor fires. Read from the recipe: `frontend`, `encoder`, `predictor`, `decoder`,
/// optional `normalize`, `specaug`, `wav_augment` and `fea_augment`, and the fields of
/// catalog::ParaformerConfig as keys. With `ctc_weight` the encoder learns by `ctc` too, an
/// utterance's CTC loss beside the decoder's: ctc_weight * ctc + (1 - ctc_weight) * attention + the
/// predictor's.
///
/// A part differs from the whole where chance decides (dropout, dither, masks, the tokens that the
/// sampler tells the decoder), which is drawn for each part, and, with threshold 1 as upstream,
/// where one rounding decides whether the last token of a text fires.
class ParaformerTask : public FrontendTask, public HotwordListener {
public:
    static Result<std::unique_ptr<Task>> make(const recipe::Node& recipe,
        std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
        const std::string& lossWeighting);

    using Task::run;
    TaskOutput run(const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    std::vector<std::string> recognise(
        const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    /// See Note [Losses of several units].
    LossUnit lossUnit() const override { return LossUnit::Sum; }
    /// Errors: always, but for an empty list. SeACo's listens.
    Status listenFor(const std::vector<std::string>& phrases) override;
    Status prefer(double nats) override;
    const std::vector<std::string>& leftOut() const override { return m_leftOut; }
    const std::string& hint() const override { return m_hint; }

protected:
    using FrontendTask::FrontendTask;
    /// The augmenters, the layers and the fields of ParaformerConfig.
    Status read(const recipe::Node& recipe, const std::string& lossWeighting);
    Status checkTokens() const;

    virtual torch::Tensor loss(const data::Batch& batch, const model::Encoded& encoded);
    /// What the texts are read from.
    virtual torch::Tensor scores(const model::ParaformerDecoded& decoded) const;

    model::ParaformerTargets targets(const data::Batch& batch) const;
    /// The losses of the decoder and the predictor, sums by the batch's tokens or utterances.
    model::ParaformerTerms terms(const data::Batch& batch, const model::Encoded& encoded);
    /// Of those, by the recipe's `length_normalized_loss` or loss_weighting.
    double termFactor(const data::Batch& batch) const;

    const model::Paraformer& recogniser() const { return *m_recogniser; }
    model::Paraformer& recogniser() { return *m_recogniser; }
    double ctcWeight() const { return m_ctcWeight; }

    std::vector<std::string> m_leftOut; ///< of the hotwords
    std::string m_hint;

private:
    Status readRecogniser(const recipe::Node& recipe, const std::string& lossWeighting);
    Status readCtc(const recipe::Node& recipe);

    model::Encoded encode(const data::Batch& batch, const torch::Tensor& features_BTF);
    torch::Tensor ctcLoss(const data::Batch& batch, const model::Encoded& encoded) const;
    std::vector<std::string> textsOf(const model::Encoded& encoded);

    std::shared_ptr<model::CtcBranch> m_ctc;
    double m_ctcWeight = 0;
    std::optional<model::Paraformer> m_recogniser;
};

} // namespace earwright::train
