#include "core/data/prepare/segment.h"

#include <utility>

namespace kymo::data {

Status addSegment(Corpus& corpus, const std::string& split, Utterance utterance,
    const std::filesystem::path& recording, const Cut& cut)
{
    const Result<bool> isCut = cutAudio(recording, cut, utterance.wav);
    if (!isCut)
        return isCut.error();
    if (*isCut) {
        corpus.recordings[utterance.wav] = recording.string();
        corpus.add(split, std::move(utterance));
    } else if (corpus.secondsOf(utterance.id, recording)) {
        corpus.dropped["a segment that its recording has not"].push_back(utterance.id);
    }
    return Done {};
}

} // namespace kymo::data
