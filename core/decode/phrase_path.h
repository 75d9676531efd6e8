#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

// Shapes: U places, V tokens.

namespace earwright::decode {

/// The likeliest token of each place, where a phrase that stands there as a whole counts for
/// `nats` more than its tokens alone (Viterbi over the places, which are independent): it is
/// written where it is at least exp(-nats) as likely as what would stand there otherwise. Of
/// overlapping phrases the likelier is taken; one that holds others of the list counts for them
/// too, so that these are not preferred to it. logProbs_UV: float32, on the CPU, without NaN.
/// Phrases are tokens below V, at least one each.
std::vector<int64_t> phrasePath(const torch::Tensor& logProbs_UV,
    const std::vector<std::vector<int64_t>>& phrases, double nats);

} // namespace earwright::decode
