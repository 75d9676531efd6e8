#pragma once

#include "core/data/batch.h"
#include "core/tasks/whisper/task_search.h"

// Shapes: B rows, U = P + L tokens: P that begin every text, L of the longest text.

namespace earwright::train {

/// What Whisper's decoder reads of a batch and what it should give, int64 on the CPU, padded with
/// the end as upstream.
struct SpokenTexts {
    torch::Tensor told_BU; ///< what begins a text, then the text
    torch::Tensor targets_BU; ///< the same from the second token on, and the end
    torch::Tensor lengths_B; ///< of both, relative to U, float64: see TargetTexts
};
/// Throws c10::Error for a text that is longer than the decoder has places for.
SpokenTexts spokenTexts(const data::Batch& batch, const SpokenWhisper& whisper);

} // namespace earwright::train
