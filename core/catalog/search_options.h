#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace earwright::catalog {

/// What upstream's S2S searchers are called with, by its names and defaults.
struct S2SOptions {
    int64_t bosIndex = 0;
    int64_t eosIndex = 0;
    double minDecodeRatio = 0.0; ///< of the padded frames: fewer tokens are not ended
    double maxDecodeRatio = 1.0; ///< more are not decoded
    /// Nor more than these, but one at least: Whisper's, as many as its decoder has places for.
    std::optional<int64_t> maxTokens {};
};

struct S2SBeamOptions : S2SOptions {
    int64_t beamSize = 4;
    int64_t topk = 1;
    bool usingEosThreshold = true;
    double eosThreshold = 1.5; ///< the end needs a log-probability above this many times the best
    bool lengthNormalization = true;
    double temperature = 1.0;
    double lengthWeight = 0.0; ///< LengthScorer's: nats for each token
    /// CTCScorer's: 0 = without. The attention's weight is what is left of 1.
    double ctcWeight = 0.0;
    int64_t blankIndex = 0;
    bool isCtcPartial = false; ///< else CTC scores the whole vocabulary
    /// ScorerBuilder's: partial scorers see the best int(beamSize * scale) tokens of each beam.
    double scorerBeamScale = 2.0;
    double coverageWeight = 0.0; ///< CoverageScorer's: 0 = without
    double coverageThreshold = 0.5; ///< of attention that a frame gets without a penalty
    double scoreTemperature = 1.0; ///< Whisper's: log-probabilities are divided by it
};

/// An option that does not go with the others.
struct SearchMisfit {
    const char* argument; ///< where to set it: "topk", of a weight "ctc"
    std::string words;
};

/// The first of them; none where all fit together.
std::optional<SearchMisfit> whatDoesNotFit(const S2SBeamOptions& options);

} // namespace earwright::catalog
