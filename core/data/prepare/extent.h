#pragma once

#include "core/base/number.h"
#include "core/data/audio.h"

#include <algorithm>
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

/// A list and its file may differ by the larger of these: durations are rounded, MP3 encoders pad.
constexpr double kToleratedSeconds = 0.1;
constexpr double kToleratedShare = 0.01; ///< of the file

/// It begins within the file, or ends at what is no number.
inline bool isPartByItself(const Extent& extent)
{
    const auto isOdd
        = [](const std::string& text) { return !text.empty() && !parseNumber<double>(text); };
    return parseNumber<double>(extent.start).value_or(0) != 0 || isOdd(extent.endSeconds)
        || isOdd(extent.stopSamples);
}

/// The earliest of the ends that a list says, in seconds.
inline std::optional<double> endOf(const Extent& extent, double sampleRateHz)
{
    std::optional<double> earliest;
    const auto take = [&](const std::string& text, double unitsPerSecond) {
        const double end = parseNumber<double>(text).value_or(0) / unitsPerSecond;
        if (end > 0)
            earliest = std::min(end, earliest.value_or(end));
    };
    take(extent.endSeconds, 1);
    take(extent.stopSamples, sampleRateHz);
    take(extent.durationSeconds, 1);
    return earliest;
}

/// Of an utterance that begins where its file does.
inline Share shareOf(const Extent& extent, const AudioInfo& file)
{
    const double seconds = static_cast<double>(file.frames) / file.sampleRateHz;
    const double tolerance = std::max(kToleratedSeconds, kToleratedShare * seconds);
    const std::optional<double> end = endOf(extent, file.sampleRateHz);
    if (!end)
        return Share::Unsaid;
    if (*end < seconds - tolerance)
        return Share::Part;
    if (*end <= seconds + tolerance)
        return Share::Whole;
    return extent.endSeconds.empty() ? Share::More : Share::Unclear;
}

} // namespace kymo::data
