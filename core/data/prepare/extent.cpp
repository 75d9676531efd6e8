#include "core/data/prepare/extent.h"

#include "core/base/number.h"

#include <algorithm>
#include <cmath>

namespace earwright::data {

namespace {

/// A list and its file may differ by the larger of these: durations are rounded, MP3 encoders pad.
constexpr double kToleratedSeconds = 0.1;
constexpr double kToleratedShare = 0.01; ///< of the file

double numberOf(const std::string& text)
{
    return parseNumber<double>(text).value_or(0);
}

/// A number; "" is none.
bool isNumber(const std::string& text)
{
    const std::optional<double> number = parseNumber<double>(text);
    return number && std::isfinite(*number);
}

bool isWhole(const std::string& text)
{
    return std::floor(numberOf(text)) == numberOf(text);
}

bool countsSamples(const Extent& extent)
{
    return extent.startUnit == StartUnit::Samples
        || (extent.startUnit == StartUnit::AsItsEnd && numberOf(extent.stopSamples) > 0);
}

double beginOf(const Extent& extent, double sampleRateHz)
{
    return numberOf(extent.start) / (countsSamples(extent) ? sampleRateHz : 1);
}

bool saysEnd(const Extent& extent)
{
    return numberOf(extent.endSeconds) > 0 || numberOf(extent.stopSamples) > 0
        || numberOf(extent.durationSeconds) > 0;
}

/// Of one that begins within its file.
std::string whyUnsoundWithin(const Extent& extent)
{
    if (!extent.durationSeconds.empty() && !isNumber(extent.durationSeconds))
        return "a duration that is no number";
    if (countsSamples(extent) && !(isWhole(extent.start) && isWhole(extent.stopSamples)))
        return "a start or stop that is no whole number of samples";
    if (extent.startUnit == StartUnit::AsItsEnd && !saysEnd(extent))
        return "a start without an end, stop or duration, which tell its unit";
    return "";
}

} // namespace

std::string whyUnsound(const Extent& extent)
{
    if (!extent.start.empty() && (!isNumber(extent.start) || numberOf(extent.start) < 0))
        return "a start that is no number from 0 on";
    for (const std::string& end : { extent.endSeconds, extent.stopSamples })
        if (!end.empty() && !isNumber(end))
            return "an end that is no number";
    if (isPartByItself(extent))
        return whyUnsoundWithin(extent);
    return isWhole(extent.stopSamples) ? "" : "a stop that is no whole number of samples";
}

bool isPartByItself(const Extent& extent)
{
    return numberOf(extent.start) != 0;
}

std::optional<double> endOf(const Extent& extent, double sampleRateHz)
{
    std::optional<double> earliest;
    const auto take = [&](const std::string& text, double begin, double unitsPerSecond) {
        const double length = numberOf(text) / unitsPerSecond;
        if (length > 0)
            earliest = std::min(begin + length, earliest.value_or(begin + length));
    };
    take(extent.endSeconds, 0, 1);
    take(extent.stopSamples, 0, sampleRateHz);
    take(extent.durationSeconds, beginOf(extent, sampleRateHz), 1);
    return earliest;
}

Share shareOf(const Extent& extent, const AudioInfo& file)
{
    const double seconds = static_cast<double>(file.frames) / file.sampleRateHz;
    const double tolerance = std::max(kToleratedSeconds, kToleratedShare * seconds);
    const std::optional<double> end = endOf(extent, file.sampleRateHz);
    const bool isBehind = end && *end > seconds + tolerance;
    if (isBehind && !extent.endSeconds.empty())
        return Share::Unclear;
    if (isPartByItself(extent) || (end && *end < seconds - tolerance))
        return Share::Part;
    return !end ? Share::Unsaid : isBehind ? Share::More : Share::Whole;
}

Cut cutOf(const Extent& extent, double sampleRateHz)
{
    return { .beginSeconds = beginOf(extent, sampleRateHz),
        .endSeconds = endOf(extent, sampleRateHz).value_or(-1) };
}

} // namespace earwright::data
