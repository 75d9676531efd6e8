#pragma once

#include "core/catalog/search_options.h"
#include "core/decode/step_decoder.h"
#include "core/decode/step_scorer.h"

#include <cstdint>
#include <functional>
#include <torch/types.h>
#include <vector>

// Shapes: B rows, K hypotheses of each (1 for the greedy search), L tokens, padded with 0, V
// outputs.

namespace earwright::decode {

using catalog::S2SBeamOptions;
using catalog::S2SOptions;

struct S2SHypotheses {
    torch::Tensor tokens_BKL; ///< int64 on the CPU, the end of sequence at their end
    torch::Tensor lengths_BK; ///< relative to L, without the end of sequence
    /// Of the beam search, -inf behind a row's last where fewer than K are possible; of the
    /// greedy one [B, K, L], by token.
    torch::Tensor scores_BK;
    torch::Tensor logProbs_BKL; ///< by token; of the greedy search none
    torch::Tensor
        logProbs_BKLV {}; ///< of all tokens, of the greedy search where they are asked for

    /// Each row's best without padding; its second best by place 1, and so on.
    std::vector<std::vector<int64_t>> best(int64_t place = 0) const;
};

/// encoder_BTD -> log-probabilities of the CTC output, [B, T, V].
using CtcHead = std::function<torch::Tensor(const torch::Tensor& encoder_BTD)>;

/// speechbrain.decoders.seq2seq.S2STransformerGreedySearcher and its kin: the best token at each
/// step, until every row has ended. lengths_B: relative. `keepsAll`: the log-probabilities of all
/// tokens too, which are -inf from a row's end on.
S2SHypotheses greedyS2S(StepDecoder& decoder, const S2SOptions& options,
    const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B, bool keepsAll = false);

/// What scores beside the decoder. CTC, length and coverage are the options'.
struct BeamScorers {
    CtcHead ctc {}; ///< may be empty where ctcWeight is 0
    std::vector<WeightedScorer> others {}; ///< the full ones are asked in their order
};

/// speechbrain.decoders.seq2seq.S2SBeamSearcher with a ScorerBuilder. Throws c10::Error for options
/// that do not fit together.
S2SHypotheses beamS2S(StepDecoder& decoder, const S2SBeamOptions& options,
    const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B,
    const BeamScorers& scorers = {});

} // namespace earwright::decode
