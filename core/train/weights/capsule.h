#pragma once

#include "core/base/result.h"
#include "core/run/run_folder.h"

#include <filesystem>

namespace earwright::train {

struct Checkpoint;

/// Writes a capsule (run/capsule.h) of a run and one of its checkpoints, atomically: `out` is
/// replaced by a whole capsule or stays as it was. Of the run's folder what a run writes goes into
/// it, and nothing that somebody put there.
Status writeCapsule(const run::RunFolder& run, const std::filesystem::path& checkpoint,
    const std::filesystem::path& out);

/// Writes a checkpoint's weights alone, as safetensors under upstream's names behind those of the
/// recipe's `modules` (Checkpoint::model) and with what upstream's classes ask for
/// (model/drop_masks.h), likewise. `labels`: the text of the run's label encoder, kept in the
/// file's map of text, so that a training that starts from it numbers labels as they were.
Status writeWeights(const std::filesystem::path& checkpoint, const std::filesystem::path& out,
    const std::string& labels = {});
Status writeWeights(
    Checkpoint checkpoint, const std::filesystem::path& out, const std::string& labels = {});

/// Of a run whose labels are characters or words; "" of another.
std::string labelsOf(const run::RunFolder& run);
/// Those that writeWeights() kept in a file; "" where it kept none.
std::string labelsOf(const std::filesystem::path& weights);

} // namespace earwright::train
