#pragma once

#include <cstdint>
#include <vector>

namespace earwright::data {

/// Where a long recording is cut, by its energy alone.
struct SilentCuts {
    int sampleRateHz = 16000;
    double maxSeconds = 60; ///< no segment is longer
    int64_t stepSamples = 1; ///< cuts are at multiples of it: a model's frames, so that times stay
};

/// The segments' first samples, from 0 on. As long as more than maxSeconds are left a segment ends
/// between half of them and all, so that a quarter of them at least is left behind it: in the
/// middle of the longest stretch, of two as long the later, in which 0.2 s have no more than 3 dB
/// above the least energy there. What is below -80 dB of full scale is all alike.
std::vector<int64_t> cutAtSilence(const std::vector<float>& samples, const SilentCuts& options);

} // namespace earwright::data
