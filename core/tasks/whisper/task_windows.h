#pragma once

#include "core/decode/timed_segments.h"

#include <functional>
#include <optional>
#include <torch/types.h>
#include <vector>

// Shapes: B rows, M mel bins, F frames of 10 ms.

namespace earwright::train {

/// What Whisper writes of windows, [B, M, 3000]: tokens of each row without the end.
using WriteWindows = std::function<std::vector<std::vector<int64_t>>(const torch::Tensor& mel_BMF)>;

/// The segments of each sound, whose features are [M, F]. All are heard at once, a window of each;
/// the next begins where decode::segmentsOfWindow() says. Behind a sound's end a window is zeros.
/// None where `goOn`, asked before each further window where it is not empty, says false.
/// Source: generate() of `transformers` 5.17, models/whisper/generation_whisper.py, whose other
/// temperatures, thresholds and conditions it has only where a generation_config asks for them.
std::optional<std::vector<std::vector<decode::TimedTokens>>> hearWindows(
    const std::vector<torch::Tensor>& mels_MF, const WriteWindows& write, int64_t firstTimestamp,
    const std::function<bool()>& goOn);

} // namespace earwright::train
