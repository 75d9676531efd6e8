#pragma once

#include "core/score/error_rate.h"

#include <optional>

namespace earwright::score {

/// Percent.
struct Interval {
    double low = 0;
    double high = 0;
};

/// The 95 % confidence interval of an error rate, by bootstrap over utterances: percentiles 2.5 and
/// 97.5 of the rates of 1,000 sets of as many utterances, drawn with replacement, always the same.
/// None of fewer than two utterances or without an error: all sets would be alike, and say nothing.
/// Source: Bisani and Ney, "Bootstrap Estimates for Confidence Intervals in ASR Performance
/// Evaluation", ICASSP 2004.
std::optional<Interval> bootstrapInterval(const std::vector<Scored>& scored);

/// How far two error rates of the same utterances are apart.
struct PairedDifference {
    Interval interval; ///< 95 %, of second - first in points of percent
    double p = 1; ///< of no difference, two-sided
};

/// By paired bootstrap: each set that is drawn has the same utterances of both. p is twice the
/// share of sets in which the difference is not on the side of the most. 10,000 sets, of more than
/// 5,000 utterances fewer, at least 1,000, and always the same: p is never below 0.0002.
/// `first` and `second`: the same utterances in the same order. None of fewer than two. Source: as
/// above, "probability of improvement".
std::optional<PairedDifference> pairedBootstrap(
    const std::vector<Scored>& first, const std::vector<Scored>& second);

} // namespace earwright::score
