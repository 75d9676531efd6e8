#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace earwright::data {

/// The playing speed of an utterance in an epoch, 1 where `speeds` is empty. It depends on its
/// arguments alone, so every rank knows how long the utterances of the others are.
double chooseSpeed(
    const std::vector<double>& speeds, uint64_t seed, int64_t epoch, std::string_view id);

} // namespace earwright::data
