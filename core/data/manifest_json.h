#pragma once

#include "core/data/manifest.h"

#include <functional>
#include <streambuf>

namespace earwright::data {

/// Whether a manifest is JSON, by its ending.
bool isJsonManifest(const std::filesystem::path& file);

/// The rows of a JSON manifest in the file's order, repeated IDs too, until `take` has an error,
/// which it is then; paths still hold their placeholder. Errors begin with "line N: ".
Status eachRowOfJson(std::streambuf& text, const std::function<Status(Utterance utterance)>& take);

} // namespace earwright::data
