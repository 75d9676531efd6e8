#pragma once

#include "core/catalog/configs/loss.h"

#include <torch/types.h>

namespace earwright::model {

/// speechbrain.nnet.losses.ctc_loss. A row too short for its target has loss and gradient 0 but
/// counts in the divisor. logProbs_BTV: computed in float32 under every precision. targets_BS: ids
/// without blanks, padded with anything. lengths_B, targetLengths_B: relative, in (0, 1], on the
/// CPU unless the call may wait for the device; frames and labels are rounded half to even. Returns
/// a 0-d tensor, or [B] with reduction "none" and "batch". Reductions: mean (each row over its
/// labels, then over rows), sum, none, batch (each row over its labels), batchmean (sum over rows /
/// B). Throws c10::Error on a shape mismatch. Source: Graves et al. 2006, section 4.1.
torch::Tensor ctcLoss(const torch::Tensor& logProbs_BTV, const torch::Tensor& targets_BS,
    const torch::Tensor& lengths_B, const torch::Tensor& targetLengths_B,
    const catalog::CtcLossConfig& config);

} // namespace earwright::model
