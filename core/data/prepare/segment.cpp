#include "core/data/prepare/segment.h"

#include <algorithm>
#include <utility>

namespace earwright::data {

namespace {

/// Lists round their seconds.
bool isNoticeable(double lackingSeconds, const Cut& cut)
{
    constexpr double kRounding = 0.01;
    constexpr double kOfSegment = 0.01;
    return lackingSeconds > std::max(kRounding, kOfSegment * (cut.endSeconds - cut.beginSeconds));
}

} // namespace

Status addSegment(Corpus& corpus, const std::string& split, Utterance utterance,
    const std::filesystem::path& recording, const Cut& cut)
{
    constexpr size_t kAdded = 4; // ".tmp", by cutAudio()
    if (isNameTooLong(utterance.wav, kAdded)) {
        corpus.dropped[kNameTooLong].push_back(utterance.id);
        return Done {};
    }
    const Result<CutPart> part = cutAudio(recording, cut, utterance.wav);
    if (!part)
        return part.error();
    if (part->whyNone.empty()) {
        corpus.recordings[utterance.wav] = recording.string();
        if (isNoticeable(part->lackingSeconds, cut))
            corpus.tooShort.push_back(utterance.id);
        corpus.add(split, std::move(utterance));
    } else if (corpus.secondsOf(utterance.id, recording)) {
        corpus.dropped[part->whyNone].push_back(utterance.id);
    }
    return Done {};
}

} // namespace earwright::data
