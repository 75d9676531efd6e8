#include "core/data/prepare/portion.h"

#include <cmath>
#include <cstdio>

namespace earwright::data {
namespace {

/// What is shorter holds no word: its places are in another unit.
constexpr double kShortestSeconds = 0.01;

std::string whyTooShort(const Cut& cut)
{
    if (cut.endSeconds < 0 || cut.endSeconds - cut.beginSeconds >= kShortestSeconds)
        return "";
    return cut.endSeconds <= cut.beginSeconds
        ? "an end that is not behind its start"
        : "a part of less than 0.01 s: a stop, and a start beside it, count samples";
}

Portion portionIn(const AudioInfo& file, const Extent& extent, bool isFirstPart)
{
    const Share share = shareOf(extent, file);
    if (share == Share::Unclear)
        return { .whyNone = "an end that is behind its recording's, in seconds" };
    if (share != Share::Part && (share == Share::Whole || !isFirstPart))
        return { .share = share };
    Cut cut = cutOf(extent, file.sampleRateHz);
    const std::string why = whyTooShort(cut);
    if (cut.endSeconds < 0)
        cut.endSeconds = static_cast<double>(file.frames) / file.sampleRateHz;
    return { Share::Part, cut, why };
}

} // namespace

Portion portionOf(const OwnRow& row)
{
    const Extent& extent = row.extent;
    if (const std::string why = whyUnsound(extent); !why.empty())
        return { .whyNone = why };
    // The first part of a recording begins at 0; the others tell what it is.
    const bool isFirstPart = row.isOfCutFile && !extent.start.empty() && !isPartByItself(extent);
    const bool saysEnd = endOf(extent, 1).has_value();
    if (isFirstPart && !saysEnd)
        return { .whyNone = "the first part of a recording, without its end" };
    if (!isPartByItself(extent) && !saysEnd)
        return {};
    const Result<AudioInfo> file = readAudioInfo(row.utterance.wav);
    return file ? portionIn(*file, extent, isFirstPart) : Portion { .isReadable = false };
}

std::string suffixOf(const Cut& cut)
{
    char text[60];
    std::snprintf(text, sizeof text, "-%07lld-%07lld", std::llround(1000 * cut.beginSeconds),
        std::llround(1000 * cut.endSeconds));
    return text;
}

} // namespace earwright::data
