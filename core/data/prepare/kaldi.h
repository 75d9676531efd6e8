#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace earwright::data {

struct KaldiOptions {
    std::filesystem::path folder = {}; ///< a data folder, or one of data folders: train, dev, test
    std::filesystem::path audioRoot = {}; ///< what relative paths in wav.scp begin at; "" = they
                                          ///< are looked for from the data folder upwards to the
                                          ///< second folder above it, then from the working one
    std::filesystem::path segmentsFolder = {}; ///< where the segments of long recordings are
                                               ///< written, as PART/ID.wav; a / in an ID
                                               ///< is %2F, a % is %25
    bool keepText = false; ///< with its tags, which are left out else: withoutTags()
};

/// Kaldi's data folders: wav.scp, text, and where they are there utt2spk, or spk2utt, and segments
/// (with the channel, if they name one). Entries of wav.scp are paths, or commands that only unpack
/// a file or convert its rate, which is read itself (sourceOf()): "flac -c -d -s FILE |",
/// "sox FILE -r 16000 -t wav - |", "ffmpeg -i FILE -f wav - |", "sph2pipe -f wav FILE |".
/// Nothing is executed: utterances of other commands, and of archives, are dropped. So are repeated
/// IDs and, beside others, folders without a text. Errors name the file: no wav.scp, no text.
Result<Corpus> readKaldi(const KaldiOptions& options, const GoOn& goOn);

} // namespace earwright::data
