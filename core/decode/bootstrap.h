#pragma once

#include "core/decode/error_rate.h"

#include <optional>

namespace earwright::decode {

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

} // namespace earwright::decode
