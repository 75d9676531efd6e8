#pragma once

#include "core/data/sound_part.h"

#include <QImage>
#include <QString>

#include <filesystem>
#include <memory>
#include <vector>

namespace earwright::ui {

/// Where the sound of an utterance lies; an empty path = not known.
struct SoundPlace {
    std::filesystem::path file {};
    data::SoundPart part {};

    bool operator==(const SoundPlace&) const = default;
};

/// The sound of an utterance as pictures of a fixed size, however long it is.
struct UtteranceSound {
    static constexpr int kMostColumns = 1200;

    /// The lowest and highest sample of a stretch of time, in [-1, 1].
    struct Extent {
        float low = 0;
        float high = 0;
    };

    double seconds = 0;
    int sampleRateHz = 0;
    std::vector<Extent> wave; ///< in order of time, at most kMostColumns
    /// Format_Indexed8: a column a stretch of time, the highest frequency on top; 255 is the
    /// loudest, 0 is 80 dB below it or less. The colour table is the view's.
    QImage spectrogram;
    QString error; ///< why there is none of this; "" = it was read
};
using UtteranceSoundPtr = std::shared_ptr<const UtteranceSound>;

/// Decodes the part and draws it. Reads the file: not in the GUI thread.
UtteranceSoundPtr readUtteranceSound(const SoundPlace& place);

/// Of samples in [-1, 1].
UtteranceSound soundOf(const std::vector<float>& samples, int sampleRateHz);

} // namespace earwright::ui
