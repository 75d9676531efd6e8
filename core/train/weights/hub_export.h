#pragma once

#include "core/base/names.h"
#include "core/base/result.h"
#include "core/run/run_folder.h"

#include <filesystem>

namespace earwright::train {

/// Writes the pretrained model of a checkpoint as a folder that `transformers` loads: config.json
/// and the other small files, as the run keeps them, and model.safetensors in float32 by the Hub's
/// names. Of a Whisper that is all it takes to write the same texts; of an encoder what the recipe
/// has behind it, its output_norm too, has no place there. What LoRA adds becomes part of the
/// weights. Returns what to say, a sentence each. Errors: no such model, a Whisper without its
/// decoder, Houlsby's adapters, for which a folder has no place, a folder that is not empty, what
/// cannot be read or written.
Result<Names> writeHubFolder(const run::RunFolder& run, const std::filesystem::path& checkpoint,
    const std::filesystem::path& out);

} // namespace earwright::train
