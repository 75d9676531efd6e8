#pragma once

#include "core/base/result.h"
#include "core/run/run_folder.h"

#include <filesystem>

namespace earwright::train {

/// Writes the pretrained encoder of a checkpoint as a folder that `transformers` loads: config.json
/// and the feature extractor's file, as the run keeps them, and model.safetensors. What the recipe
/// has behind the encoder, its output_norm too, has no place there. Errors: no such encoder, one
/// with adapters, a folder that is not empty, what cannot be read or written.
Status writeHubFolder(const run::RunFolder& run, const std::filesystem::path& checkpoint,
    const std::filesystem::path& out);

} // namespace earwright::train
