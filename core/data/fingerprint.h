#pragma once

#include "core/base/result.h"
#include "core/data/manifest.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace earwright::data {

/// What a set was, so that a resumed run can tell that it is another. Of what the manifest says,
/// not of the audio's bytes.
struct Fingerprint {
    std::string name; ///< "train", "test-clean"; of another file the setting that names it
    std::string file;
    int64_t rows = 0; ///< 0 of a file that is no manifest of utterances
    double seconds = 0; ///< of all rows
    std::map<std::string, std::string> columns {}; ///< checksum of each, in the rows' order
    std::string anyOrder {}; ///< checksum of the rows, in whatever order
};

Fingerprint fingerprintOf(
    const std::string& name, const std::string& file, const std::vector<Utterance>& utterances);
/// Of a whole file. One that cannot be read has no checksum, and no other reader to tell it.
Fingerprint fingerprintOf(const std::string& setting, const std::string& file);

/// What to say of a set that is another now: "44 utterances (126.4 s) before, 19 (55.1 s) now"; ""
/// = it is the same.
std::string difference(const Fingerprint& before, const Fingerprint& now);

/// {"version", "sets": […]}.
std::string fingerprintsToJson(const std::vector<Fingerprint>& sets);
Result<std::vector<Fingerprint>> fingerprintsFromJson(const std::string& json);

} // namespace earwright::data
