#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace earwright::data {

/// The Free Spoken Digit Dataset: recordings/{digit}_{speaker}_{take}.wav under `folder`. Takes 0-4
/// are for the test, as published; of the others 5-9 are for dev. The text is the digit as a word.
/// Errors name the missing folder.
Result<Corpus> readFsdd(const std::filesystem::path& folder, const GoOn& goOn);

} // namespace earwright::data
