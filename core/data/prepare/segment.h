#pragma once

#include "core/data/prepare/cut.h"
#include "core/data/prepare/report.h"

#include <filesystem>
#include <string>

namespace earwright::data {

/// Adds an utterance that is a part of a recording: cuts it (cutAudio()) to the file that its `wav`
/// names. Told where the recording ends before it. Dropped with the reason where the recording
/// cannot be read or has no such part, and where the file's name, which is made of the ID, is too
/// long. Errors: the file cannot be written.
Status addSegment(Corpus& corpus, const std::string& split, Utterance utterance,
    const std::filesystem::path& recording, const Cut& cut);

} // namespace earwright::data
