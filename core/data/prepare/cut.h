#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace kymo::data {

/// Writes a part of a recording as a WAV file of its rate, channels and sample type (16 bit where
/// the recording is compressed); folders are made. `endSeconds` < 0: to the end; an end up to a
/// tenth of a second behind the recording's is its end. False, and no file, where the recording
/// cannot be read or has no such part. Errors: the file cannot be written.
Result<bool> cutAudio(const std::filesystem::path& recording, double beginSeconds,
    double endSeconds, const std::filesystem::path& file);

} // namespace kymo::data
