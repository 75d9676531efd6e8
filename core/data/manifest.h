#pragma once

#include "core/base/result.h"
#include "core/data/sound_part.h"
#include "core/settings/manifest_keys.h"

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
    std::string text; ///< column wrd, or what else the recipe reads
    int line = 0; ///< in the manifest, from 1
    SoundPart part = {}; ///< of its file
    std::string labels = {}; ///< its ManifestColumns::labels, a line each; "" where it has none
};

/// Whether a file is a manifest: .csv, .json or .jsonl, whatever the case.
bool isManifest(const std::filesystem::path& file);

/// FunASR's JSON Lines (data/manifest_lines.h), or SpeechBrain's CSV (ID,duration,wav,spk_id,wrd;
/// with start and stop, begin_time and end_time and channel a part of a recording) or JSON ({id:
/// {wav, length|duration, words|wrd, spk_id}}, where wav may be {file, start, stop}); by the file's
/// ending, with the columns that the recipe reads. Errors name file and line: missing column, empty
/// wav, a place that is none, duration that is no number, a text that is none or no UTF-8, the same
/// ID twice, malformed CSV or JSON.
Result<std::vector<Utterance>> readManifest(const std::filesystem::path& path,
    const std::string& dataRoot, const settings::ManifestColumns& columns = {});

/// The same of each row by itself. The same ID twice is found behind the last one.
Status eachUtterance(const std::filesystem::path& path, const std::string& dataRoot,
    const std::function<void(Utterance utterance)>& take,
    const settings::ManifestColumns& columns = {});

} // namespace earwright::data
