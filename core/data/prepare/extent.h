#pragma once

#include "core/data/audio.h"
#include "core/data/prepare/cut.h"

#include <optional>
#include <string>

namespace earwright::data {

/// How much of its file an utterance is, by what a list says of it.
enum class Share {
    Unsaid,
    Part,
    Whole,
    More, ///< than the file has
    Unclear, ///< an end behind the file's: perhaps it is in another unit
};

/// What a start counts.
enum class StartUnit {
    AsItsEnd, ///< samples beside a `stop`, seconds beside an `end` or a `duration`
    Seconds,
    Samples,
};

/// Where in its file an utterance lies, in a list's words; "" = unsaid.
struct Extent {
    std::string start = {};
    std::string endSeconds = {}; ///< as stop and duration the file's own where not above 0
    std::string stopSamples = {}; ///< as SpeechBrain counts
    std::string durationSeconds = {}; ///< from the start
    StartUnit startUnit = StartUnit::AsItsEnd;
};

/// Why nobody can say where the utterance lies; "" where it can be.
std::string whyUnsound(const Extent& extent);

/// It begins within the file.
bool isPartByItself(const Extent& extent);

/// The earliest of the ends that a list says, in seconds.
std::optional<double> endOf(const Extent& extent, double sampleRateHz);

/// Of a sound extent. A list and its file may differ by 0.1 s or, if that is more, 1 % of the file.
Share shareOf(const Extent& extent, const AudioInfo& file);

/// Of a sound extent, in seconds; to the file's end where it says no other.
Cut cutOf(const Extent& extent, double sampleRateHz);

} // namespace earwright::data
