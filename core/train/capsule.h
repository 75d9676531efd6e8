#pragma once

#include "core/base/result.h"
#include "core/run/run_folder.h"

#include <filesystem>

namespace kymo::train {

/// Writes a capsule (run/capsule.h) of a run and one of its checkpoints, atomically: `out` is
/// replaced by a whole capsule or stays as it was.
Status writeCapsule(const run::RunFolder& run, const std::filesystem::path& checkpoint,
    const std::filesystem::path& out);

} // namespace kymo::train
