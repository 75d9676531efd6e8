#pragma once

#include "core/data/audio.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

/// probeAudio() of each, on all cores. `goOn`: before each file, in any thread; false ends it, with
/// nothing of those that were left.
std::vector<std::optional<Result<AudioInfo>>> probeAll(
    const std::vector<std::string>& paths, const std::function<bool()>& goOn = [] { return true; });

} // namespace earwright::data
