#pragma once

#include "core/decode/ctc_beam.h"

#include <torch/types.h>

namespace earwright::decode {

/// int(length * frames) in float32: cut and not rounded, as in upstream's CTC beam searches and
/// nowhere else in its decoders. 13 of 22 frames can become 12. int64 [B] on the CPU.
torch::Tensor wholeFrames(const torch::Tensor& lengths_B, int64_t frames);

/// How many frames of a batch relative lengths are: wholeFrames(), or model::frameCounts(), which
/// loses none.
using FrameCounts = torch::Tensor (*)(const torch::Tensor& lengths_B, int64_t frames);

using CtcSearch = std::vector<CtcHypothesis> (*)(const CtcSearchSetting&, const LogProbs&);

/// A batch, its rows in parallel. lengths_B: relative, read by `counts`; undefined for all frames.
std::vector<std::vector<CtcHypothesis>> searchBatch(CtcSearch search,
    const CtcSearchSetting& setting, const torch::Tensor& logProbs_BTV,
    const torch::Tensor& lengths_B = {}, FrameCounts counts = wholeFrames);

} // namespace earwright::decode
