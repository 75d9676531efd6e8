#pragma once

#include "core/score/error_rate.h"

#include <optional>
#include <vector>

namespace earwright::score {

// NIST's Matched Pairs Sentence-Segment Word Error test (MAPSSWE), as sclite's sc_stats has it:
// errors depend on their neighbours, segments that words heard rightly part do not. Source: Gillick
// and Cox, "Some Statistical Issues in the Comparison of Speech Recognition Algorithms", ICASSP
// 1989. sclite's alignment weighs a substitution 4 and an insertion or a deletion 3; ours weighs
// each 1, as the WER does, so that its segments may differ.

/// Errors of two recognisers in one stretch of an utterance.
struct SegmentErrors {
    int64_t first = 0;
    int64_t second = 0;

    bool operator==(const SegmentErrors&) const = default;
};

/// The stretches of an utterance in which one of both erred. Two tokens in a row that both heard
/// rightly, with nothing inserted between them, part two. Both have the same reference.
std::vector<SegmentErrors> segmentsOf(const Scored& first, const Scored& second);

struct MatchedPairs {
    int64_t segments = 0;
    double meanDifference = 0; ///< errors a segment, second - first
    /// Standard deviations of the mean that it is from none, and the probability of no difference,
    /// two-sided, by the normal distribution. None of fewer than two segments, or where all have
    /// one and the same difference, which has no deviation. With fewer than about 50 segments the
    /// normal distribution is a guess.
    std::optional<double> z {};
    std::optional<double> p {};
};

/// `first` and `second`: the same utterances in the same order.
MatchedPairs matchedPairs(const std::vector<Scored>& first, const std::vector<Scored>& second);

} // namespace earwright::score
