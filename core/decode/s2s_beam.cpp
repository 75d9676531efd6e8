#include "core/decode/coverage_scorer.h"
#include "core/decode/ctc_prefix_score.h"
#include "core/decode/s2s_search.h"
#include "core/model/masks.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <torch/utils.h>

namespace earwright::decode {

namespace {

/// What has reached its end: tokens, their log-probabilities, the score.
struct Ended {
    torch::Tensor tokens;
    torch::Tensor logProbs;
    float score = 0;
};

/// Not so of an end that may not be or of tokens that CTC never gives: kNever, weighted and perhaps
/// divided by the steps.
bool isPossible(float score)
{
    constexpr float kLeast = CtcPrefixScore::kNever * 1e-10F; // far below what sounds give
    return score > kLeast;
}

/// One search over one batch. N = B * beamSize beams, those of a row side by side.
class BeamSearch final {
public:
    BeamSearch(StepDecoder& decoder, const S2SBeamOptions& options,
        const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B,
        const BeamScorers& scorers)
        : m_decoder(decoder)
        , m_options(options)
        , m_rows(encoder_BTD.size(0))
        , m_beams(m_rows * options.beamSize)
        , m_device(encoder_BTD.device())
        , m_scorers(scorers.others)
        , m_ended(static_cast<size_t>(m_rows))
    {
        const int64_t frames = encoder_BTD.size(1);
        m_least = static_cast<int64_t>(static_cast<double>(frames) * options.minDecodeRatio);
        m_most = static_cast<int64_t>(static_cast<double>(frames) * options.maxDecodeRatio);
        if (options.maxTokens)
            m_most = std::min(m_most, std::max<int64_t>(1, *options.maxTokens));
        const torch::Tensor frames_B = model::frameCounts(lengths_B.to(m_device), frames);
        if (options.coverageWeight != 0)
            m_scorers.push_back(
                { std::make_shared<CoverageScorer>(decoder, options.coverageThreshold),
                    options.coverageWeight });
        decoder.start(encoder_BTD, frames_B, options.beamSize);
        for (const WeightedScorer& one : m_scorers)
            one.scorer->start(m_beams);
        if (options.ctcWeight > 0)
            m_ctc.emplace(scorers.ctc(encoder_BTD), frames_B, options.blankIndex, options.eosIndex);
        begin();
    }

    S2SHypotheses run()
    {
        int64_t step = 0;
        for (; step < m_most && !isFull() && m_isUnderWay; ++step)
            advance(step);
        if (!m_scores_N.defined())
            return nothing();
        // What is still under way counts as ended, and with it, as upstream, once more what the
        // last step has ended.
        if (step == m_most)
            collect(torch::ones({ m_beams }, torch::kBool));
        giveEachOne();
        return best();
    }

private:
    void begin()
    {
        const auto whole = torch::dtype(torch::kInt64).device(m_device);
        m_firstBeam_B1 = (torch::arange(m_rows, whole) * m_options.beamSize).unsqueeze(1);
        m_tokens_N = torch::full({ m_beams }, m_options.bosIndex, whole);
        m_sequences_NL = torch::empty({ m_beams, 0 }, whole);
        m_logProbs_NL = torch::empty({ m_beams, 0 }, torch::device(m_device));
        m_sums_N = torch::full({ m_beams }, -INFINITY, torch::device(m_device));
        m_sums_N.index_fill_(0, m_firstBeam_B1.squeeze(1), 0.0);
    }

    bool isFull() const
    {
        for (const std::vector<Ended>& row : m_ended) {
            if (std::ssize(row) < m_options.beamSize)
                return false;
        }
        return true;
    }

    torch::Tensor attentionScores(const torch::Tensor& logits_NV) const
    {
        const double weight = (1.0 - m_options.ctcWeight) / m_options.scoreTemperature;
        return weight * (logits_NV.to(torch::kFloat32) / m_options.temperature).log_softmax(-1);
    }

    void limitEnd(torch::Tensor& scores_NV, int64_t step) const
    {
        torch::Tensor end_N = scores_NV.select(1, m_options.eosIndex);
        if (step < m_least)
            end_N.fill_(CtcPrefixScore::kNever);
        if (!m_options.usingEosThreshold)
            return;
        const torch::Tensor isBest
            = end_N > m_options.eosThreshold * std::get<0>(scores_NV.max(-1));
        end_N.masked_fill_(isBest.logical_not(), CtcPrefixScore::kNever);
    }

    void addScorers(torch::Tensor& scores_NV)
    {
        if (m_ctc && !m_options.isCtcPartial) {
            scores_NV.select(1, m_options.blankIndex).fill_(CtcPrefixScore::kNever);
            scores_NV += m_options.ctcWeight * m_ctc->score(m_tokens_N).to(m_device);
        }
        scores_NV += m_options.lengthWeight;
        addOthers(scores_NV, {});
        if (!hasPartial())
            return;
        const torch::Tensor candidates_NC = bestTokens(scores_NV);
        if (m_ctc && m_options.isCtcPartial)
            scores_NV += m_options.ctcWeight * m_ctc->score(m_tokens_N, candidates_NC).to(m_device);
        addOthers(scores_NV, candidates_NC);
    }

    bool hasPartial() const
    {
        return (m_ctc && m_options.isCtcPartial)
            || std::any_of(m_scorers.begin(), m_scorers.end(),
                [](const WeightedScorer& one) { return one.isPartial; });
    }

    /// The best tokens of each beam, which alone partial scorers see.
    torch::Tensor bestTokens(const torch::Tensor& scores_NV) const
    {
        const auto count
            = std::clamp<int64_t>(static_cast<int64_t>(static_cast<double>(m_options.beamSize)
                                      * m_options.scorerBeamScale),
                1, scores_NV.size(1));
        return std::get<1>(scores_NV.topk(count, -1));
    }

    /// The full ones or, with candidates, the partial ones.
    void addOthers(torch::Tensor& scores_NV, const torch::Tensor& candidates_NC)
    {
        for (const WeightedScorer& one : m_scorers) {
            if (one.isPartial == candidates_NC.defined())
                scores_NV += one.weight * one.scorer->score(m_tokens_N, candidates_NC);
        }
    }

    void advance(int64_t step)
    {
        const torch::Tensor attention_NV = attentionScores(m_decoder.next(m_tokens_N));
        torch::Tensor scores_NV = attention_NV.clone();
        limitEnd(scores_NV, step);
        addScorers(scores_NV);
        const torch::Tensor chosen_BK = choose(scores_NV, step);
        follow(chosen_BK, attention_NV);
        const torch::Tensor isEnd_N = m_tokens_N.eq(m_options.eosIndex);
        m_sums_N.masked_fill_(isEnd_N, -INFINITY);
        // Read from the device at once: each read waits for it.
        const torch::Tensor read_2N = torch::stack({ isEnd_N, m_sums_N.isfinite() }).cpu();
        collect(read_2N[0]);
        m_isUnderWay = read_2N[1].any().item<bool>();
    }

    /// The best continuations of each row: beam of the row * V + token.
    torch::Tensor choose(const torch::Tensor& scores_NV, int64_t step)
    {
        const auto steps = static_cast<double>(step + 1);
        torch::Tensor sums_NV = m_sums_N.unsqueeze(1) + scores_NV;
        if (m_options.lengthNormalization)
            sums_NV = sums_NV / steps;
        auto [scores_BK, chosen_BK] = sums_NV.view({ m_rows, -1 }).topk(m_options.beamSize, -1);
        m_scores_N = scores_BK.reshape({ m_beams });
        m_sums_N = m_options.lengthNormalization ? m_scores_N * steps : m_scores_N.clone();
        return chosen_BK;
    }

    void follow(const torch::Tensor& chosen_BK, const torch::Tensor& attention_NV)
    {
        const int64_t width = attention_NV.size(1);
        const torch::Tensor from_N
            = (torch::floor_divide(chosen_BK, width) + m_firstBeam_B1).view({ m_beams });
        m_tokens_N = chosen_BK.remainder(width).view({ m_beams });
        const torch::Tensor logProbs_N
            = attention_NV.view({ m_rows, -1 }).gather(1, chosen_BK).view({ m_beams });
        m_sequences_NL
            = torch::cat({ m_sequences_NL.index_select(0, from_N), m_tokens_N.unsqueeze(1) }, 1);
        m_logProbs_NL
            = torch::cat({ m_logProbs_NL.index_select(0, from_N), logProbs_N.unsqueeze(1) }, 1);
        m_decoder.reorder(from_N);
        for (const WeightedScorer& one : m_scorers)
            one.scorer->keep(from_N, m_tokens_N);
        if (m_ctc)
            m_ctc->keep(chosen_BK);
    }

    /// As upstream, impossible hypotheses are kept too: they fill a row, count for the longest, and
    /// are the best where a row has no other. Beams that ended before have the score -inf and are
    /// left out.
    void collect(const torch::Tensor& isEnd_N)
    {
        if (!isEnd_N.any().item<bool>())
            return;
        const torch::Tensor scores_N = m_scores_N.to(torch::kCPU, torch::kFloat32);
        const torch::Tensor sequences_NL = m_sequences_NL.cpu();
        const torch::Tensor logProbs_NL = m_logProbs_NL.cpu();
        for (int64_t n = 0; n < m_beams; ++n) {
            std::vector<Ended>& row = m_ended[static_cast<size_t>(n / m_options.beamSize)];
            const auto score = scores_N[n].item<float>();
            if (isEnd_N[n].item<bool>() && std::isfinite(score)
                && std::ssize(row) < m_options.beamSize)
                row.push_back({ sequences_NL[n], logProbs_NL[n], score });
        }
    }

    /// Where no score was finite the first beam, so that every row has a text.
    void giveEachOne()
    {
        for (int64_t b = 0; b < m_rows; ++b) {
            std::vector<Ended>& row = m_ended[static_cast<size_t>(b)];
            const int64_t first = b * m_options.beamSize;
            if (row.empty())
                row.push_back({ m_sequences_NL[first].cpu(), m_logProbs_NL[first].cpu(),
                    m_scores_N[first].item<float>() });
        }
    }

    /// Lists possible hypotheses only, but gives each row one.
    S2SHypotheses best() const
    {
        int64_t longest = 0;
        for (const std::vector<Ended>& row : m_ended) {
            for (const Ended& hypothesis : row)
                longest = std::max(longest, hypothesis.tokens.size(0));
        }
        const int64_t count = m_options.topk;
        S2SHypotheses found { torch::zeros({ m_rows, count, longest }, torch::kInt64),
            torch::zeros({ m_rows, count }), torch::full({ m_rows, count }, -INFINITY),
            torch::zeros({ m_rows, count, longest }) };
        for (int64_t b = 0; b < m_rows; ++b) {
            const std::vector<Ended>& row = m_ended[static_cast<size_t>(b)];
            std::vector<float> scores;
            for (const Ended& hypothesis : row)
                scores.push_back(hypothesis.score);
            const int64_t there = std::min(count, std::ssize(row));
            const torch::Tensor places_K = std::get<1>(torch::tensor(scores).topk(there));
            for (int64_t k = 0; k < there; ++k) {
                const Ended& hypothesis = row[static_cast<size_t>(places_K[k].item<int64_t>())];
                if (k > 0 && !isPossible(hypothesis.score))
                    break;
                found.scores_BK[b][k] = hypothesis.score;
                const int64_t length = hypothesis.tokens.size(0);
                found.tokens_BKL[b][k].narrow(0, 0, length).copy_(hypothesis.tokens);
                found.logProbs_BKL[b][k].narrow(0, 0, length).copy_(hypothesis.logProbs);
                found.lengths_BK[b][k]
                    = static_cast<float>(length - 1) / static_cast<float>(longest);
            }
        }
        return found;
    }

    S2SHypotheses nothing() const
    {
        const int64_t count = m_options.topk;
        torch::Tensor scores_BK = torch::full({ m_rows, count }, -INFINITY);
        scores_BK.select(1, 0).zero_(); // the empty text, and no other
        return { torch::empty({ m_rows, count, 0 }, torch::kInt64), torch::zeros({ m_rows, count }),
            scores_BK, torch::empty({ m_rows, count, 0 }) };
    }

    StepDecoder& m_decoder;
    const S2SBeamOptions& m_options;
    int64_t m_rows;
    int64_t m_beams;
    torch::Device m_device;
    std::vector<WeightedScorer> m_scorers; ///< beside CTC and length
    int64_t m_least = 0;
    int64_t m_most = 0;
    std::optional<CtcPrefixScore> m_ctc;
    torch::Tensor m_firstBeam_B1;
    torch::Tensor m_tokens_N;
    torch::Tensor m_sequences_NL;
    torch::Tensor m_logProbs_NL;
    torch::Tensor m_sums_N; ///< log-probability of each beam; -inf once it has ended
    bool m_isUnderWay = true; ///< one of them has not
    torch::Tensor m_scores_N; ///< of the last step: normalised where asked for
    std::vector<std::vector<Ended>> m_ended;
};

} // namespace

S2SHypotheses beamS2S(StepDecoder& decoder, const S2SBeamOptions& options,
    const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B, const BeamScorers& scorers)
{
    const auto misfit = catalog::whatDoesNotFit(options);
    TORCH_CHECK(!misfit, misfit->words);
    TORCH_CHECK(scorers.ctc || options.ctcWeight == 0, "a weight for CTC needs the CTC output");
    const torch::NoGradGuard noGrad;
    return BeamSearch(decoder, options, encoder_BTD, lengths_B, scorers).run();
}

} // namespace earwright::decode
