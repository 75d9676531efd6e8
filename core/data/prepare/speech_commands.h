#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace earwright::data {

/// Google's Speech Commands v0.02, unpacked: word/*.wav, testing_list.txt, validation_list.txt.
/// The published split by the two lists; what is in neither is for training. The speaker is the
/// part before _nohash_. Errors name a missing folder or list.
Result<Corpus> readSpeechCommands(const std::filesystem::path& folder, const GoOn& goOn);

} // namespace earwright::data
