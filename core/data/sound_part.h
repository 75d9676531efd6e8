#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace earwright::data {

/// Where in its file an utterance lies; by default it is the whole file.
struct SoundPart {
    double begin = 0; ///< in seconds, or in samples of the file
    double end = 0; ///< the same; 0 = unsaid
    double seconds = 0; ///< from the beginning on, where no end is said
    bool countsSamples = false;
    int channel = -1; ///< from 0, of files that have several; -1 = their mean

    bool isWhole() const { return begin == 0 && end == 0 && seconds == 0 && channel < 0; }
    bool operator==(const SoundPart&) const = default;
    auto operator<=>(const SoundPart&) const = default;
};

/// What a row says of its place; "" = unsaid.
struct PlaceTexts {
    std::string start = {}; ///< seconds, or samples of the file, whichever fits the duration
    std::string stop = {}; ///< the same
    std::string beginSeconds = {}; ///< GigaSpeech's begin_time
    std::string endSeconds = {}; ///< GigaSpeech's end_time
    std::string channel = {}; ///< Switchboard's A or B, of a part
    bool isByDuration = false; ///< no row has a stop: it lasts for its duration (Libriheavy)
};

/// The place of an utterance of that duration. The error says what is wrong with its texts, as in
/// "starts at 5 without a stop …" or "has the channel '1'; write A or B".
Result<SoundPart> soundPartOf(const PlaceTexts& texts, double durationSeconds);

/// A part of a file, in its samples.
struct FramePart {
    int64_t first = 0;
    int64_t count = 0;
};

/// As upstream's scripts round: each place to the sample before it. An end behind the file's is the
/// file's. The error, where nothing is left: "it begins at 5.00 s, but the file ends at 4.00 s".
Result<FramePart> framesIn(const SoundPart& part, int64_t fileFrames, int sampleRateHz);

} // namespace earwright::data
