#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace kymo::data {

/// Tokens first … last of a text.
struct HotwordSpan {
    int64_t first = 0;
    int64_t last = 0;
};

/// Where chance comes from: a share in [0, 1), and a whole number of [low, high].
struct Chance {
    std::function<double()> share;
    std::function<int64_t(int64_t low, int64_t high)> between;
};

/// The stretches of a text of `length` tokens that take part as hotwords in training: none, one of
/// 2 to 8 tokens, or two that do not touch. Draws in the order of
/// funasr.datasets.audio_datasets.AudioDatasetHotword's generate_index.
std::vector<HotwordSpan> sampleHotwords(int64_t length, const Chance& chance);

/// The same by chance that depends on these arguments alone, so every rank knows the hotwords of
/// the others' utterances, and a resumed run takes the same.
std::vector<HotwordSpan> sampleHotwords(
    int64_t length, uint64_t seed, int64_t epoch, std::string_view id);

} // namespace kymo::data
