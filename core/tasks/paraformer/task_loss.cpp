#include "core/tasks/paraformer/task.h"
#include "core/tasks/paraformer/task_parts.h"

namespace earwright::train {

model::ParaformerTargets ParaformerTask::targets(const data::Batch& batch) const
{
    return model::targetsOf(batch.tokens_BL.to(device(), true),
        tokenCounts(batch).to(device(), true), m_recogniser->config());
}

double ParaformerTask::termFactor(const data::Batch& batch) const
{
    const catalog::ParaformerConfig& config = m_recogniser->config();
    return factorOf(sumTerm(config.lengthNormalizedLoss, config.predictorBias), batch);
}

model::ParaformerTerms ParaformerTask::terms(
    const data::Batch& batch, const model::Encoded& encoded)
{
    model::ParaformerTerms terms = m_recogniser->terms(encoded, targets(batch));
    tell("", terms.firstScores_BUV);
    return terms;
}

torch::Tensor ParaformerTask::loss(const data::Batch& batch, const model::Encoded& encoded)
{
    const catalog::ParaformerConfig& config = m_recogniser->config();
    const double factor = termFactor(batch);
    model::ParaformerTerms terms = this->terms(batch, encoded);
    if (m_ctcWeight == 0)
        return terms.weighed(config) * factor;
    terms.attention = terms.attention * (1 - m_ctcWeight);
    return terms.weighed(config) * factor
        + ctcLoss(batch, encoded) * (m_ctcWeight * factorOf(sumTerm(false), batch));
}

torch::Tensor ParaformerTask::ctcLoss(const data::Batch& batch, const model::Encoded& encoded) const
{
    return textLoss(batch, m_ctc->forward(encoded.x_BTD), m_recogniser->config().blankId);
}

} // namespace earwright::train
