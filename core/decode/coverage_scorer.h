#pragma once

#include "core/decode/step_decoder.h"
#include "core/decode/step_scorer.h"

namespace earwright::decode {

/// speechbrain.decoders.scorer.CoverageScorer: what the frames were attended to beyond a threshold,
/// by all tokens so far together, is a penalty; divided by the steps. The same for every token.
class CoverageScorer final : public StepScorer {
public:
    /// The decoder keeps its attention from its next start() on, and outlives this.
    CoverageScorer(StepDecoder& decoder, double threshold);
    void start(int64_t beams) override;
    torch::Tensor score(const torch::Tensor& tokens_N, const torch::Tensor& candidates_NC) override;
    void keep(const torch::Tensor& from_N, const torch::Tensor& tokens_N) override;

private:
    StepDecoder& m_decoder;
    double m_threshold;
    torch::Tensor m_coverage_NT; ///< undefined before the first token
    int64_t m_steps = 0;
};

} // namespace earwright::decode
