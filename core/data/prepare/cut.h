#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>

namespace kymo::data {

struct Cut {
    double beginSeconds = 0;
    double endSeconds = -1; ///< negative: to the recording's end
    std::optional<int> channel = std::nullopt; ///< from 0; none = all
};

/// Writes a part of a recording as a WAV file of its rate, channels and sample type (16 bit where
/// the recording is compressed); folders are made. An end up to a tenth of a second behind the
/// recording's is its end. False, and no file, where the recording cannot be read or has no such
/// part or channel. Errors: the file cannot be written.
Result<bool> cutAudio(
    const std::filesystem::path& recording, const Cut& cut, const std::filesystem::path& file);

} // namespace kymo::data
