#pragma once

#include "core/data/manifest.h"

namespace earwright::data {

/// As readManifest(), for who only listens: a CSV needs the columns ID and wav alone. Without wrd
/// the utterances' `line` is 0, without duration their durationSeconds. Another error: the manifest
/// lists none.
Result<std::vector<Utterance>> readSounds(
    const std::filesystem::path& path, const std::string& dataRoot);

} // namespace earwright::data
