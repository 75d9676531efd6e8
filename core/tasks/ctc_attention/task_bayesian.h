#pragma once

#include "core/model/transformer/transformer_asr.h"
#include "core/model/transformer/weight_posterior.h"
#include "core/tasks/ctc_attention/bayesian.h"
#include "core/train/task/loss_term.h"

#include <functional>

namespace earwright::train {

/// Passes through a Transformer whose feed-forward weights are drawn, as upstream's
/// recipes/LibriSpeech/ASR/transformer/train_bayesspeech.py. In training one draw a batch, alike in
/// all its parts and on all ranks. In evaluation the mean over `num_eval_mc_samples` draws, which
/// are the same for every batch, so that a sound has one text wherever it stands; a search goes on
/// with the last of them.
class BayesianPasses final {
public:
    using Outputs = model::TransformerAsr::Outputs;

    BayesianPasses(std::shared_ptr<model::TransformerAsr> transformer,
        const tasks::ctc_attention::Bayesian& settings);
    /// pass: a call of the transformer, whose members may be undefined.
    Outputs run(const std::function<Outputs()>& pass);
    /// What comes to the loss of a part of a training step: kl_div_weight * divergence in the whole
    /// step, each batch of it by its share of the utterances. Of the last run().
    torch::Tensor loss(const data::Batch& part) const;

private:
    std::shared_ptr<model::TransformerAsr> m_transformer;
    model::WeightPosterior m_posterior;
    double m_klWeight;
    int64_t m_evalSamples;
};

} // namespace earwright::train
