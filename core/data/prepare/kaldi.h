#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace kymo::data {

struct KaldiOptions {
    std::filesystem::path folder = {}; ///< a data folder, or one of data folders: train, dev, test
    std::filesystem::path audioRoot = {}; ///< what relative paths in wav.scp begin at; "" = they
                                          ///< are looked for from the data folder upwards to the
                                          ///< second folder above it, then from the working one
    std::filesystem::path segmentsFolder = {}; ///< where the segments of long recordings are
                                               ///< written, as PART/ID.wav; a / in an ID
                                               ///< is %2F, a % is %25
};

/// Kaldi's data folders: wav.scp (plain paths), text, utt2spk and segments (with the channel, if
/// they name one) where they are there.
/// Errors name file and line: a command or an archive's entry in wav.scp (nothing is executed), no
/// wav.scp, no text, a line that is none.
Result<Corpus> readKaldi(const KaldiOptions& options, const GoOn& goOn);

} // namespace kymo::data
