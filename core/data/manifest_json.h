#pragma once

#include "core/data/manifest.h"

#include <string>
#include <string_view>
#include <vector>

namespace kymo::data {

/// The rows of a JSON manifest in the file's order; paths still hold their placeholder. Errors
/// begin with "line N: ".
Result<std::vector<Utterance>> parseJsonManifest(std::string_view text);

} // namespace kymo::data
