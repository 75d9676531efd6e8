#pragma once

#include <cstdint>
#include <memory>
#include <torch/types.h>
#include <vector>

// Shapes: B rows of a batch, N = B * beams, V outputs, C candidates of each beam.

namespace earwright::decode {

/// What a beam search adds to the decoder's scores, one token at a time: SpeechBrain's
/// BaseScorerInterface. One object for one search at a time.
class StepScorer {
public:
    virtual ~StepScorer() = default;
    /// A new batch.
    virtual void start(int64_t beams) = 0;
    /// tokens_N: the last token of each beam, at first that which begins a text -> nats of each
    /// next one, float32 [N, V] or, where all are alike, [N, 1], on the device of the tokens.
    /// candidates_NC: of a partial scorer the only tokens that matter; undefined = all.
    virtual torch::Tensor score(const torch::Tensor& tokens_N, const torch::Tensor& candidates_NC)
        = 0;
    /// Beam n goes on from where beam from_N[n] stood, with the token tokens_N[n].
    virtual void keep(const torch::Tensor& from_N, const torch::Tensor& tokens_N) = 0;
};

struct WeightedScorer {
    std::shared_ptr<StepScorer> scorer;
    double weight = 0;
    bool isPartial = false; ///< asked after the full ones, for the best candidates only
};

} // namespace earwright::decode
