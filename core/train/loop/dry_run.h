#pragma once

#include "core/train/loop/training_state.h"
#include "core/train/trainer_context.h"

namespace earwright::train {

/// One forward and backward before the first step. The reducer waits for a gradient of every
/// parameter: what has none is told now, with what to do about it, and not as a hang at step 2.
/// Where it does not wait, or a single rank has nobody to wait for, the training goes on. The order
/// in which the gradients come is that of the reducer's buckets.
Status checkUnused(const TrainerContext& context, TrainingState& state);

} // namespace earwright::train
