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

/// How many tokens a hotword has that is sampled from a text: generate_index's hotword_min_length
/// and hotword_max_length, which no recipe of upstream's reaches.
struct HotwordSampling {
    int64_t shortest = 2;
    int64_t longest = 8;
};

/// The stretches of a text of `length` tokens that take part as hotwords in training: none, one, or
/// two that do not touch. Draws in the order of
/// funasr.datasets.audio_datasets.AudioDatasetHotword's generate_index.
std::vector<HotwordSpan> sampleHotwords(
    int64_t length, const HotwordSampling& sampling, const Chance& chance);

/// The same by chance that depends on these arguments alone, so every rank knows the hotwords of
/// the others' utterances, and a resumed run takes the same.
std::vector<HotwordSpan> sampleHotwords(int64_t length, const HotwordSampling& sampling,
    uint64_t seed, int64_t epoch, std::string_view id);

/// Wherever `hotword`, of one token at least, is in a text.
std::vector<HotwordSpan> spansOf(
    const std::vector<int64_t>& hotword, const std::vector<int64_t>& text);

} // namespace kymo::data
