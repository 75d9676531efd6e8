#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"

#include <cstdint>
#include <filesystem>

namespace earwright::train {

// What stands beside the weights in a folder of the Hub that a run becomes.

/// The small files as they were when the run trained (settings::keptHubFiles()), from `folder`
/// where a run of an older version has kept none. A type in config.json that is not float32, as the
/// weights are, becomes it: `transformers` would round them.
Status copyHubFiles(const std::filesystem::path& run, const std::filesystem::path& folder,
    const std::filesystem::path& out);

/// Of a Whisper also what writes its texts: tokenizer.json and, where it has spellings,
/// normalizer.json; and, where copyHubFiles() found none, the file of its features, of so many mel
/// bins.
Status writeWhisperFiles(const recipe::Node& recipe, const std::filesystem::path& run,
    const std::filesystem::path& out, int64_t mels);

} // namespace earwright::train
