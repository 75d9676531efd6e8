#pragma once

#include "core/train/checkpoint.h"

namespace kymo::train {

/// The mean of the checkpoints' weights, newest first, as SpeechBrain's average_checkpoints: summed
/// in float64 and rounded once to each tensor's type. Whole numbers (BatchNorm's count of batches)
/// are the newest's, as is the progress; nothing of the optimizer is kept, so that it can be used
/// but not resumed. Errors: none given, one that cannot be read, tensors that differ in name or
/// shape.
Result<Checkpoint> averageCheckpoints(const std::vector<std::filesystem::path>& checkpoints);

} // namespace kymo::train
