#pragma once

#include "core/data/loader.h"
#include "core/train/recogniser.h"

namespace earwright::train {

/// How the segments of one sound lie in it.
struct SegmentPlaces {
    std::vector<data::Part> parts; ///< at the model's rate
    int sampleRateHz = 16000;
    int64_t frameSamples = 1; ///< of a frame of the words; parts begin at multiples of it
    int64_t topk = 1; ///< hypotheses of the whole
};

/// What was heard in the segments of one sound as what was heard in it. Texts are put behind each
/// other, with a blank but between letters of scripts without blanks; frames are counted from the
/// sound's beginning; a list of hypotheses has the likeliest of all ways to take one of each
/// segment, by the sum of their scores. Where a segment has no text the sound has none, and the
/// problem names the segment.
Heard joinSegments(const std::vector<Heard>& heard, const SegmentPlaces& places);

} // namespace earwright::train
