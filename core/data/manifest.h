#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace earwright::data {

/// One row of a manifest, after `$data_root`/`{data_root}` was replaced.
struct Utterance {
    std::string id;
    std::string wav; ///< path
    double durationSeconds = 0;
    std::string speaker; ///< "" where the manifest has no spk_id
    std::string text; ///< column wrd
    int line = 0; ///< in the manifest, from 1
};

/// Whether a file is a manifest: .csv or .json, whatever the case.
bool isManifest(const std::filesystem::path& file);

/// SpeechBrain's CSV (ID,duration,wav,spk_id,wrd) or JSON ({id: {wav, length|duration, words|wrd,
/// spk_id}}, where wav may be {file}); by the file's ending. Errors name file and line: missing
/// column, empty wav, a part of a recording, duration that is no number, a text that is none or no
/// UTF-8, the same ID twice, malformed CSV or JSON.
Result<std::vector<Utterance>> readManifest(
    const std::filesystem::path& path, const std::string& dataRoot);

/// The same of each row by itself. The same ID twice is found behind the last one.
Status eachUtterance(const std::filesystem::path& path, const std::string& dataRoot,
    const std::function<void(Utterance utterance)>& take);

} // namespace earwright::data
