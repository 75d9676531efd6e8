#include "core/data/prepare/extent.h"

#include "core/base/number.h"

#include <algorithm>

namespace kymo::data {

namespace {

/// A list and its file may differ by the larger of these: durations are rounded, MP3 encoders pad.
constexpr double kToleratedSeconds = 0.1;
constexpr double kToleratedShare = 0.01; ///< of the file

} // namespace

bool isPartByItself(const Extent& extent)
{
    const auto isOdd
        = [](const std::string& text) { return !text.empty() && !parseNumber<double>(text); };
    return parseNumber<double>(extent.start).value_or(0) != 0 || isOdd(extent.endSeconds)
        || isOdd(extent.stopSamples);
}

std::optional<double> endOf(const Extent& extent, double sampleRateHz)
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

Share shareOf(const Extent& extent, const AudioInfo& file)
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
