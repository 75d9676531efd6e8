#pragma once

#include "core/data/text_encoder.h"
#include "core/settings/hotword_sampling.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

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

using settings::HotwordSampling;

/// The stretches of a text of `length` tokens that take part as hotwords in training: none, one, or
/// two that do not overlap. Draws in the order of
/// funasr.datasets.audio_datasets.AudioDatasetHotword's generate_index.
std::vector<HotwordSpan> sampleHotwords(
    int64_t length, const HotwordSampling& sampling, const Chance& chance);

/// None, one, or two of the words that have so many tokens, of as many texts as above.
std::vector<HotwordSpan> sampleWords(
    std::vector<HotwordSpan> words, const HotwordSampling& sampling, const Chance& chance);

/// Chance that depends on these arguments alone, so every rank knows the hotwords of the others'
/// utterances, and a resumed run takes the same.
Chance chanceOf(uint64_t seed, int64_t epoch, std::string_view id);

/// The words of a text: " " is between two, and one begins with "▁". labels:
/// TextEncoder::searchLabels().
std::vector<HotwordSpan> wordsOf(
    const std::vector<int64_t>& tokens, const std::vector<std::string>& labels);

/// An error where whole words are to be sampled and no text has any of so many tokens.
Status checkSampling(const HotwordSampling& sampling, const TextEncoder& encoder);

/// Wherever `hotword`, of one token at least, is in a text.
std::vector<HotwordSpan> spansOf(
    const std::vector<int64_t>& hotword, const std::vector<int64_t>& text);

} // namespace earwright::data
