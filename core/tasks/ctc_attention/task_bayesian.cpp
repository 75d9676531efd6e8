#include "core/tasks/ctc_attention/task_bayesian.h"

#include "core/model/transformer/layer_drop.h"

namespace earwright::train {

namespace {

void addTo(torch::Tensor& sum, const torch::Tensor& one)
{
    if (one.defined())
        sum = sum.defined() ? sum + one : one;
}

torch::Tensor meanOf(const torch::Tensor& sum, int64_t count)
{
    return sum.defined() ? sum / count : sum;
}

} // namespace

BayesianPasses::BayesianPasses(std::shared_ptr<model::TransformerAsr> transformer,
    const tasks::ctc_attention::Bayesian& settings)
    : m_transformer(std::move(transformer))
    , m_posterior(*m_transformer, { settings.priorLogScale, settings.softplusInvScale })
    , m_klWeight(settings.klWeight)
    , m_evalSamples(settings.evalSamples)
{
}

BayesianPasses::Outputs BayesianPasses::run(const std::function<Outputs()>& pass)
{
    if (m_transformer->is_training()) {
        m_posterior.draw(model::seedOfBatch());
        return pass();
    }
    Outputs sum;
    for (int64_t i = 0; i < m_evalSamples; ++i) {
        m_posterior.draw(static_cast<uint64_t>(i));
        const Outputs one = pass();
        addTo(sum.encoder_BTD, one.encoder_BTD);
        addTo(sum.decoder_BUD, one.decoder_BUD);
    }
    return { meanOf(sum.encoder_BTD, m_evalSamples), meanOf(sum.decoder_BUD, m_evalSamples) };
}

torch::Tensor BayesianPasses::loss(const data::Batch& part) const
{
    const LossTerm meanOverUtterances { .reduction = "mean", .over = LossUnit::Utterances };
    return m_klWeight * factorOf(meanOverUtterances, part) * m_posterior.divergence();
}

} // namespace earwright::train
