#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>
#include <string>
#include <vector>

namespace earwright::data {

/// LibriSpeech (OpenSLR 12) and corpora of its layout (Mini LibriSpeech, MLS is not one):
/// PART/SPEAKER/CHAPTER/ID.flac beside SPEAKER-CHAPTER.trans.txt with lines "ID TEXT". `folder` is
/// LibriSpeech or the folder that holds it. Parts (train-clean-100 …) keep their names, texts are
/// as published, in capitals. `wanted`: parts to read; none = all. An error where there is no part.
Result<Corpus> readLibriSpeech(
    const std::filesystem::path& folder, const std::vector<std::string>& wanted, const GoOn& goOn);

} // namespace earwright::data
