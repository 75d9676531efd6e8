#pragma once

#include "core/train/weights/checkpoint.h"

namespace earwright::train {

/// The mean of the checkpoints' weights, newest first, as SpeechBrain's average_checkpoints: summed
/// in float64 and rounded once to each tensor's type. Whole numbers (BatchNorm's count of batches)
/// are the newest's, as is the progress; nothing of the optimizer is kept, so that it can be used
/// but not resumed. Errors: none given, one that cannot be read, tensors that differ in name or
/// shape.
Result<Checkpoint> averageCheckpoints(const std::vector<std::filesystem::path>& checkpoints);

/// The weights that a run is judged by: the checkpoint below `folder` that is its best, and with a
/// `count` above 1 the mean of its `count` best (bestCheckpoints()). That one is `avg-<n>` below
/// `folder` where it is there and of just these checkpoints, else it is written as `into`/avg-<n>.
/// Without a best one the newest. Errors: no complete checkpoint, averageCheckpoints()'s, a disk
/// that refuses it.
Result<std::filesystem::path> judgedCheckpoint(
    const std::filesystem::path& folder, size_t count, const std::filesystem::path& into);

} // namespace earwright::train
