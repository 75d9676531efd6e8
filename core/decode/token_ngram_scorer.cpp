#include "core/decode/token_ngram_scorer.h"

#include "core/decode/ctc_prefix_score.h"

#include <numbers>

namespace earwright::decode {

const std::string& TokenNgramScorer::spelling(int64_t token) const
{
    const auto count = std::ssize(m_tokens);
    TORCH_CHECK(token < count, "the decoder has an output ", token, ", but token_list ends with ",
        count - 1, ": name every output in it");
    return m_tokens[static_cast<size_t>(token)];
}

void TokenNgramScorer::start(int64_t beams)
{
    m_beams.assign(static_cast<size_t>(beams), { m_model->start(false) });
}

torch::Tensor TokenNgramScorer::score(
    const torch::Tensor& tokens_N, const torch::Tensor& candidates_NC)
{
    const auto beams = std::ssize(m_beams);
    const auto width = std::ssize(m_tokens);
    const torch::Tensor candidates = candidates_NC.defined()
        ? candidates_NC.to(torch::kCPU, torch::kInt64).contiguous()
        : torch::arange(width, torch::kInt64).repeat({ beams, 1 });
    m_scores_NV = torch::full({ beams, width }, CtcPrefixScore::kNever);
    float* scores = m_scores_NV.data_ptr<float>();
    for (int64_t n = 0; n < beams; ++n) {
        const Beam& beam = m_beams[static_cast<size_t>(n)];
        const int64_t* own = candidates.const_data_ptr<int64_t>() + n * candidates.size(1);
        for (int64_t c = 0; beam.isPossible && c < candidates.size(1); ++c) {
            NgramState behind;
            const float log10 = m_model->score(beam.state, spelling(own[c]), behind);
            scores[n * width + own[c]]
                = static_cast<float>(static_cast<double>(log10) * std::numbers::ln10);
        }
    }
    return m_scores_NV.to(tokens_N.device());
}

void TokenNgramScorer::keep(const torch::Tensor& from_N, const torch::Tensor& tokens_N)
{
    const torch::Tensor both_2N
        = torch::stack({ from_N, tokens_N }).to(torch::kCPU, torch::kInt64).contiguous();
    const int64_t beams = from_N.numel();
    const int64_t* const both = both_2N.const_data_ptr<int64_t>();
    std::vector<Beam> kept;
    for (int64_t n = 0; n < beams; ++n) {
        const int64_t beam = both[n];
        const int64_t token = both[beams + n];
        const std::string& spelled = spelling(token);
        const float score
            = m_scores_NV.const_data_ptr<float>()[beam * std::ssize(m_tokens) + token];
        Beam next { {}, score > CtcPrefixScore::kNever };
        if (next.isPossible)
            m_model->score(m_beams[static_cast<size_t>(beam)].state, spelled, next.state);
        kept.push_back(next);
    }
    m_beams = std::move(kept);
}

} // namespace earwright::decode
