#include "core/decode/language_model_scorer.h"

namespace earwright::decode {

void LanguageModelScorer::start(int64_t)
{
    m_memory = m_model->startTexts();
}

torch::Tensor LanguageModelScorer::score(const torch::Tensor& tokens_N, const torch::Tensor&)
{
    const torch::Tensor logits_NV = m_model->step(tokens_N, *m_memory);
    return (logits_NV.to(torch::kFloat32) / m_temperature).log_softmax(-1);
}

void LanguageModelScorer::keep(const torch::Tensor& from_N, const torch::Tensor&)
{
    m_memory->reorder(from_N);
}

} // namespace earwright::decode
