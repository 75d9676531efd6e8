#pragma once

#include "core/base/result.h"
#include "core/run/run_folder.h"

#include <filesystem>

namespace kymo::train {

struct Checkpoint;

/// Writes a capsule (run/capsule.h) of a run and one of its checkpoints, atomically: `out` is
/// replaced by a whole capsule or stays as it was.
Status writeCapsule(const run::RunFolder& run, const std::filesystem::path& checkpoint,
    const std::filesystem::path& out);

/// Writes a checkpoint's weights alone, as safetensors under upstream's names behind those of the
/// recipe's `modules` (Checkpoint::model) and with what upstream's classes ask for
/// (model/drop_masks.h), likewise.
Status writeWeights(const std::filesystem::path& checkpoint, const std::filesystem::path& out);
Status writeWeights(Checkpoint checkpoint, const std::filesystem::path& out);

} // namespace kymo::train
