#include "core/decode/coverage_scorer.h"

namespace earwright::decode {

CoverageScorer::CoverageScorer(StepDecoder& decoder, double threshold)
    : m_decoder(decoder)
    , m_threshold(threshold)
{
    m_decoder.keepAttention();
}

void CoverageScorer::start(int64_t)
{
    m_coverage_NT.reset();
    m_steps = 0;
}

torch::Tensor CoverageScorer::score(const torch::Tensor&, const torch::Tensor&)
{
    ++m_steps;
    const torch::Tensor attention_NT = m_decoder.attention().to(torch::kFloat32);
    m_coverage_NT = m_coverage_NT.defined() ? m_coverage_NT + attention_NT : attention_NT;
    const torch::Tensor penalty_N1 = (m_coverage_NT - m_threshold).clamp_min(0).sum(-1, true);
    return penalty_N1 / -static_cast<double>(m_steps);
}

void CoverageScorer::keep(const torch::Tensor& from_N, const torch::Tensor&)
{
    m_coverage_NT = m_coverage_NT.index_select(0, from_N);
}

} // namespace earwright::decode
