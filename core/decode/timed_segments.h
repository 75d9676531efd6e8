#pragma once

#include <cstdint>
#include <vector>

namespace earwright::decode {

// Frames are those of Whisper's features, of 10 ms. A time stamp counts 20 ms.

/// What Whisper wrote of a window of a sound.
struct WrittenWindow {
    std::vector<int64_t> tokens; ///< without the end; time stamps by the rules of TimestampDecoder
    int64_t firstFrame = 0; ///< of the sound
    int64_t frames = 3000; ///< without padding
};

struct TimedTokens {
    int64_t beginFrame = 0; ///< of the sound
    int64_t endFrame = 0;
    std::vector<int64_t> tokens; ///< with the time stamps
};

struct WindowSegments {
    std::vector<TimedTokens> segments;
    int64_t frames = 0; ///< from this window's beginning to the next one's
};

/// A pair of time stamps ends a segment. What stands behind the last pair is heard again by the
/// next window, which begins there. Where a single time stamp ends the text nothing is said behind
/// it, and the next window begins where this one ends; so too without a pair, where all is one
/// segment. `firstTimestamp`: the token of 0.00 s. Source: _retrieve_segment() of
/// `transformers` 5.17, models/whisper/generation_whisper.py.
WindowSegments segmentsOfWindow(const WrittenWindow& window, int64_t firstTimestamp);

} // namespace earwright::decode
