#include "core/data/sound_part.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace earwright::data {
namespace {

/// Rates of recordings, in Hz: what a stop and a start are apart, by the duration.
constexpr double kLeastRateHz = 1000;
constexpr double kMostRateHz = 1e6;

/// A manifest rounds its durations.
bool isAbout(double seconds, double durationSeconds)
{
    return std::abs(seconds - durationSeconds) <= std::max(0.1, 0.01 * durationSeconds);
}

bool isWholeNumber(double number)
{
    return std::floor(number) == number;
}

/// From 0 on.
std::optional<double> placeIn(const std::string& text)
{
    const auto number = parseNumber<double>(trim(text));
    return number && std::isfinite(*number) && *number >= 0 ? number : std::nullopt;
}

bool isSaid(const std::string& text)
{
    return !trim(text).empty();
}

/// -1, their mean, where none is named.
Result<int> namedChannel(const std::string& text)
{
    const std::string_view name = trim(text);
    if (name.empty())
        return -1;
    if (name != "A" && name != "B")
        return Error { "has the channel " + inQuotes(name) + "; write A or B" };
    return name == "A" ? 0 : 1;
}

/// By what the two are apart. Upstream's scripts differ: Switchboard's counts samples, MEDIA's
/// seconds.
Result<bool> doCountSamples(const SoundPart& part, double durationSeconds)
{
    const double apart = part.end - part.begin;
    if (isAbout(apart, durationSeconds))
        return false;
    const double rateHz = apart / durationSeconds;
    if (isWholeNumber(part.begin) && isWholeNumber(part.end) && rateHz >= kLeastRateHz
        && rateHz <= kMostRateHz)
        return true;
    return Error { "has a start and a stop that are " + formatNumber(apart)
        + " apart, which its duration of " + formatNumber(durationSeconds)
        + " s fits neither in seconds nor in samples; correct them" };
}

Result<SoundPart> fromPlaces(
    const std::string& start, const std::string& stop, const PlaceTexts& texts)
{
    const std::optional<double> begin = isSaid(start) ? placeIn(start) : std::optional<double>(0);
    const std::optional<double> end = isSaid(stop) ? placeIn(stop) : std::optional<double>(0);
    if (!begin || !end)
        return Error { "has a place '" + (begin ? stop : start)
            + "' in its recording that is no number from 0 on" };
    if (*begin != 0 && *end == 0)
        return Error { "starts at " + start
            + " without a stop: write both, in seconds or in samples" };
    if (*end != 0 && *end <= *begin)
        return Error { "stops at " + stop + ", which is not behind its start" };
    SoundPart part { .begin = *begin, .end = *end };
    if (part.isWhole())
        return part;
    const Result<int> channel = namedChannel(texts.channel);
    if (!channel)
        return channel.error();
    part.channel = *channel;
    return part;
}

Result<SoundPart> byDuration(const PlaceTexts& texts, double durationSeconds)
{
    const std::optional<double> begin = placeIn(texts.start);
    if (!begin)
        return Error { "has a start '" + texts.start + "' that is no number of seconds" };
    if (!(durationSeconds > 0))
        return Error { "has a start and a duration of 0" };
    const Result<int> channel = namedChannel(texts.channel);
    if (!channel)
        return channel.error();
    return SoundPart { .begin = *begin, .seconds = durationSeconds, .channel = *channel };
}

std::string inSeconds(double seconds)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.2f s", seconds);
    return text;
}

} // namespace

Result<SoundPart> soundPartOf(const PlaceTexts& texts, double durationSeconds)
{
    if (isSaid(texts.beginSeconds) || isSaid(texts.endSeconds))
        return fromPlaces(texts.beginSeconds, texts.endSeconds, texts);
    if (texts.isByDuration && isSaid(texts.start))
        return byDuration(texts, durationSeconds);
    Result<SoundPart> part = fromPlaces(texts.start, texts.stop, texts);
    if (!part || part->isWhole())
        return part;
    const Result<bool> countsSamples = doCountSamples(*part, durationSeconds);
    if (!countsSamples)
        return countsSamples.error();
    part->countsSamples = *countsSamples;
    return part;
}

Result<FramePart> framesIn(const SoundPart& part, int64_t fileFrames, int sampleRateHz)
{
    const auto frame
        = [rate = part.countsSamples ? 1.0 : static_cast<double>(sampleRateHz)](
              double place) { return static_cast<int64_t>(std::min(place * rate, 9e15)); };
    const int64_t first = frame(part.begin);
    const int64_t last = part.end > 0 ? frame(part.end)
        : part.seconds > 0            ? first + frame(part.seconds)
                                      : fileFrames;
    const int64_t count = std::min(last, fileFrames) - first;
    if (count > 0)
        return FramePart { first, count };
    return Error { "it begins at " + inSeconds(static_cast<double>(first) / sampleRateHz)
        + ", but the file ends at " + inSeconds(static_cast<double>(fileFrames) / sampleRateHz) };
}

} // namespace earwright::data
