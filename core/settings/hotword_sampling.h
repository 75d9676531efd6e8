#pragma once

#include <cstdint>

namespace earwright::settings {

/// How many tokens a hotword has that is sampled from a text: generate_index's hotword_min_length
/// and hotword_max_length, which no recipe of upstream's reaches.
struct HotwordSampling {
    int64_t shortest = 2;
    int64_t longest = 8;
    bool areWords = false; ///< whole words of a text in place of any of its stretches
    int64_t distractors = 0; ///< texts of the whole set whose hotwords a batch has too
};

} // namespace earwright::settings
