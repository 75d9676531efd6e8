#pragma once

#include "core/decode/ngram.h"
#include "core/decode/step_scorer.h"

#include <string>
#include <vector>

namespace earwright::decode {

/// speechbrain.decoders.scorer.KenLMScorer: an n-gram over the tokens, in nats. As upstream a text
/// begins without <s>, and what is no candidate is impossible, with all that follows it. On the
/// CPU.
class TokenNgramScorer final : public StepScorer {
public:
    /// tokens: how the model spells each output; score() and keep() throw c10::Error for one
    /// beyond them.
    TokenNgramScorer(std::shared_ptr<const NgramModel> model, std::vector<std::string> tokens)
        : m_model(std::move(model))
        , m_tokens(std::move(tokens))
    {
    }
    void start(int64_t beams) override;
    torch::Tensor score(const torch::Tensor& tokens_N, const torch::Tensor& candidates_NC) override;
    void keep(const torch::Tensor& from_N, const torch::Tensor& tokens_N) override;

private:
    struct Beam {
        NgramState state;
        bool isPossible = true; ///< each of its tokens was a candidate
    };
    const std::string& spelling(int64_t token) const;

    std::shared_ptr<const NgramModel> m_model;
    std::vector<std::string> m_tokens;
    std::vector<Beam> m_beams;
    torch::Tensor m_scores_NV; ///< of the last score()
};

} // namespace earwright::decode
