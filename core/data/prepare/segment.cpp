#include "core/data/prepare/segment.h"

#include <climits>
#include <utility>

namespace earwright::data {

namespace {

/// cutAudio() writes NAME.tmp first.
bool isTooLong(const std::filesystem::path& file)
{
    return file.filename().string().size() + 4 > NAME_MAX;
}

} // namespace

Status addSegment(Corpus& corpus, const std::string& split, Utterance utterance,
    const std::filesystem::path& recording, const Cut& cut)
{
    if (isTooLong(utterance.wav)) {
        corpus.dropped["an ID too long for a file name"].push_back(utterance.id);
        return Done {};
    }
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

} // namespace earwright::data
