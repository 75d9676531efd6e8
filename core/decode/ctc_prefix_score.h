#pragma once

#include <cstdint>
#include <torch/types.h>
#include <vector>

// Shapes: B rows, K prefixes of each, N = B * K in their order, T frames, V outputs, C candidates.

namespace earwright::decode {

/// speechbrain.decoders.ctc.CTCPrefixScore: the CTC log-probability that the next token gives to a
/// prefix, for an attention decoder's beams (Watanabe et al. 2017, algorithm 2). On the CPU.
/// The sum over frames of what comes before times what the frame gives is a matrix product, and the
/// forward variables are computed for chosen tokens alone. Windows by attention are not offered:
/// upstream takes their peak over the wrong dimension for a Transformer.
class CtcPrefixScore final {
public:
    static constexpr float kNever = -1e20F; ///< as upstream writes "impossible"

    /// logProbs_BTV: any device. frames_B: whole lengths of the rows, at least 1.
    CtcPrefixScore(const torch::Tensor& logProbs_BTV, const torch::Tensor& frames_B,
        int64_t blankIndex, int64_t eosIndex);

    /// What each next token adds to each prefix, [N, V] float32 on the CPU. tokens_N: the last
    /// token of each prefix, at first anything; the first call says how many prefixes a row has.
    /// candidates_NC: score these alone and the end, all others are impossible.
    torch::Tensor score(const torch::Tensor& tokens_N, const torch::Tensor& candidates_NC = {});
    /// The prefixes that go on: chosen_BK = prefix of the row * V + token.
    void keep(const torch::Tensor& chosen_BK);

    /// Of the last score(): log-probability of each prefix with each next token, [N, V].
    const torch::Tensor& prefixScores() const { return m_psi_NV; }

private:
    /// log-probability of a prefix at each frame of its row, ending in its last token or a blank.
    struct Forward {
        std::vector<double> token;
        std::vector<double> blank;
        double sum(size_t frame) const;
    };
    struct Row {
        torch::Tensor probs_TV; ///< float64, of its own frames
        const float* logProbs = nullptr;
        int64_t frames = 0;
    };

    const Row& rowOf(int64_t prefix) const;
    void begin(int64_t prefixes);
    /// log-probability of the prefix before each frame, with a repetition of `token` or without.
    std::vector<double> before(int64_t prefix, bool isRepeat) const;
    void scoreRow(int64_t row, const int64_t* tokens);
    double sumOver(const Row& row, const std::vector<double>& before, int64_t token) const;
    Forward extend(int64_t prefix, int64_t token) const;

    torch::Tensor m_logProbs_BTV;
    std::vector<Row> m_rows;
    int64_t m_width = 0;
    int64_t m_blank = 0;
    int64_t m_eos = 0;
    int64_t m_length = -1; ///< of the prefixes, in tokens
    int64_t m_beams = 1;
    std::vector<Forward> m_forward; ///< by prefix
    std::vector<float> m_reached; ///< log-probability of each prefix
    std::vector<int64_t> m_last; ///< its last token
    torch::Tensor m_psi_NV;
};

} // namespace earwright::decode
