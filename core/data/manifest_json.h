#pragma once

#include "core/data/manifest.h"

#include <functional>
#include <streambuf>

namespace earwright::data {

/// Whether a manifest is JSON, by its ending.
bool isJsonManifest(const std::filesystem::path& file);

/// What of an utterance is read, and how.
struct JsonReading {
    const settings::ManifestColumns& columns;
    /// Of its places and its duration.
    std::function<Result<SoundPart>(const PlaceTexts& places, double seconds)> part;
};

/// The rows of a JSON manifest in the file's order, repeated IDs too; paths still hold their
/// placeholder. It ends with the first error of `take`, and returns it. Errors begin with
/// "line N: ".
Status eachRowOfJson(std::streambuf& text, const JsonReading& reading,
    const std::function<Status(Utterance utterance)>& take);

} // namespace earwright::data
