#pragma once

#include <cstdint>
#include <string>
#include <torch/types.h>

namespace earwright::model {

/// Arguments that speechbrain.nnet.losses.nll_loss and kldiv_loss share.
struct LabelLossOptions {
    double labelSmoothing = 0.0;
    int64_t allowedLenDiff
        = 3; ///< frames by which predictions and targets may differ; the longer is cut
    int64_t padIdx = 0; ///< kldiv alone: targets of this value do not count
    std::string reduction = "mean"; ///< mean | batch | batchmean | sum | none
};

/// speechbrain.nnet.losses.nll_loss. logProbs: [B, T, V] or [B, V]; targets: [B, T] or [B];
/// lengths_B: relative or undefined. mean is over valid frames; "sum" returns the unreduced matrix,
/// as upstream does.
torch::Tensor nllLoss(const torch::Tensor& logProbs, const torch::Tensor& targets,
    const torch::Tensor& lengths_B, const LabelLossOptions& options);

/// speechbrain.nnet.losses.kldiv_loss: divergence from the smoothed one-hot target. As upstream:
/// "mean" is the plain sum, "batch" divides by the relative length, and without smoothing it is
/// nll_loss, which ignores padIdx. "none" gives a number a target, summed over the classes.
torch::Tensor kldivLoss(const torch::Tensor& logProbs, const torch::Tensor& targets,
    const torch::Tensor& lengths_B, const LabelLossOptions& options);

/// A target that FunASR's losses do not count.
inline constexpr int64_t kIgnored = -1;

/// Arguments of funasr.losses.label_smoothing_loss.LabelSmoothingLoss that say what it sums.
struct LabelSmoothingOptions {
    double smoothing = 0.0;
    int64_t paddingIdx = kIgnored; ///< targets of this value do not count
};

/// Divergence of softmax(logits) from the smoothed one-hot target, its entropy included, summed
/// over the targets that are not paddingIdx. float32 under every precision. logits_BUV, targets_BU.
torch::Tensor labelSmoothingSum(const torch::Tensor& logits_BUV, const torch::Tensor& targets_BU,
    const LabelSmoothingOptions& options);

/// LabelSmoothingLoss: that sum over the targets that count where `normalizeLength`, else over the
/// batch size.
torch::Tensor labelSmoothingLoss(const torch::Tensor& logits_BUV, const torch::Tensor& targets_BU,
    const LabelSmoothingOptions& options, bool normalizeLength);

} // namespace earwright::model
