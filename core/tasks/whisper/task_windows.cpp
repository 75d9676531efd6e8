#include "core/tasks/whisper/task_windows.h"

#include "core/model/whisper/log_mel.h"

#include <algorithm>

namespace earwright::train {

namespace {

using model::LogMel;

/// A sound and how far it is heard.
struct HeardSound {
    torch::Tensor mel_MF;
    int64_t heardFrames = 0;

    int64_t leftFrames() const { return mel_MF.size(1) - heardFrames; }
    int64_t windowFrames() const { return std::min(leftFrames(), LogMel::kFrames); }
    torch::Tensor window() const
    {
        const torch::Tensor own_MF = mel_MF.narrow(1, heardFrames, windowFrames());
        return torch::constant_pad_nd(own_MF, { 0, LogMel::kFrames - windowFrames() });
    }
};

} // namespace

std::optional<std::vector<std::vector<decode::TimedTokens>>> hearWindows(
    const std::vector<torch::Tensor>& mels_MF, const WriteWindows& write, int64_t firstTimestamp,
    const std::function<bool()>& goOn)
{
    std::vector<HeardSound> sounds;
    for (const torch::Tensor& mel_MF : mels_MF)
        sounds.push_back({ mel_MF });
    std::vector<std::vector<decode::TimedTokens>> heard(sounds.size());
    for (bool isFirst = true;; isFirst = false) {
        std::vector<size_t> places;
        std::vector<torch::Tensor> windows;
        for (size_t i = 0; i < sounds.size(); ++i)
            if (sounds[i].leftFrames() > 0) {
                places.push_back(i);
                windows.push_back(sounds[i].window());
            }
        if (places.empty())
            return heard;
        if (!isFirst && goOn && !goOn())
            return std::nullopt;
        std::vector<std::vector<int64_t>> texts = write(torch::stack(windows));
        for (size_t row = 0; row < places.size(); ++row) {
            HeardSound& sound = sounds[places[row]];
            decode::WindowSegments read = decode::segmentsOfWindow(
                { std::move(texts[row]), sound.heardFrames, sound.windowFrames() }, firstTimestamp);
            std::move(
                read.segments.begin(), read.segments.end(), std::back_inserter(heard[places[row]]));
            sound.heardFrames += read.frames;
        }
    }
}

} // namespace earwright::train
