#pragma once

#include "core/data/audio.h"

#include <optional>
#include <string>

namespace kymo::data {

/// How much of its file an utterance is, by what a list says of it.
enum class Share {
    Unsaid,
    Part,
    Whole,
    More, ///< than the file has
    Unclear, ///< an end behind the file's: perhaps it is in another unit
};

/// Where in its file an utterance lies, in a list's words; "" = unsaid.
struct Extent {
    std::string start = {}; ///< seconds or samples: only whether it is 0 counts
    std::string endSeconds = {}; ///< as stop and duration the file's own where not above 0
    std::string stopSamples = {}; ///< as SpeechBrain counts
    std::string durationSeconds = {};
};

/// It begins within the file, or ends at what is no number.
bool isPartByItself(const Extent& extent);

/// The earliest of the ends that a list says, in seconds.
std::optional<double> endOf(const Extent& extent, double sampleRateHz);

/// Of an utterance that begins where its file does. A list and its file may differ by 0.1 s or, if
/// that is more, 1 % of the file.
Share shareOf(const Extent& extent, const AudioInfo& file);

} // namespace kymo::data
