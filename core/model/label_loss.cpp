#include "core/model/label_loss.h"

#include "core/model/autocast_off.h"
#include "core/model/masks.h"

#include <cmath>

namespace earwright::model {

namespace {

/// Cuts the longer of the two.
void truncate(torch::Tensor& logProbs_BTV, torch::Tensor& targets_BT, int64_t allowed)
{
    const int64_t frames = std::min(logProbs_BTV.size(1), targets_BT.size(1));
    TORCH_CHECK(std::max(logProbs_BTV.size(1), targets_BT.size(1)) - frames <= allowed,
        "predictions have ", logProbs_BTV.size(1), " frames and targets ", targets_BT.size(1),
        ": more than ", allowed, " apart");
    logProbs_BTV = logProbs_BTV.narrow(1, 0, frames);
    targets_BT = targets_BT.narrow(1, 0, frames);
}

/// x · log y, and 0 where x is 0: what kl_div makes of a class without a share.
double xLogY(double x, double y)
{
    return x == 0 ? 0 : x * std::log(y);
}

/// [B, ...] reduced as upstream's reduce_loss: over what the mask holds.
torch::Tensor reduce(
    const torch::Tensor& values, const torch::Tensor& mask, const std::string& reduction)
{
    if (reduction == "mean")
        return values.sum() / mask.sum();
    if (reduction == "batchmean")
        return values.sum() / values.size(0);
    if (reduction == "batch")
        return values.flatten(1).sum(1) / mask.flatten(1).sum(1);
    return values;
}

} // namespace

torch::Tensor nllLoss(const torch::Tensor& logProbs, const torch::Tensor& targets,
    const torch::Tensor& lengths_B, const LabelLossOptions& options)
{
    const AutocastOff fullPrecision(logProbs.device().type());
    torch::Tensor predictions = logProbs.to(fullType(logProbs));
    torch::Tensor labels = targets;
    if (predictions.dim() == 3)
        truncate(predictions, labels, options.allowedLenDiff);
    const torch::Tensor mask = predictions.dim() == 3
        ? paddingMask(lengths_B, labels.size(1), labels).to(predictions.scalar_type())
        : torch::ones(labels.sizes(), predictions.options());
    const torch::Tensor picked
        = predictions.gather(-1, labels.to(at::kLong).unsqueeze(-1)).squeeze(-1);
    const torch::Tensor loss = reduce(-picked * mask, mask, options.reduction);
    if (options.labelSmoothing == 0)
        return loss;
    const torch::Tensor spread = reduce(predictions.mean(-1) * mask, mask, options.reduction);
    return (1 - options.labelSmoothing) * loss - options.labelSmoothing * spread;
}

torch::Tensor kldivLoss(const torch::Tensor& logProbs, const torch::Tensor& targets,
    const torch::Tensor& lengths_B, const LabelLossOptions& options)
{
    if (options.labelSmoothing == 0) {
        LabelLossOptions plain;
        plain.reduction = options.reduction;
        return nllLoss(logProbs, targets, lengths_B, plain);
    }
    const AutocastOff fullPrecision(logProbs.device().type());
    const torch::Tensor predictions = logProbs.to(fullType(logProbs));
    const int64_t batch = predictions.size(0);
    const auto classes = static_cast<double>(predictions.size(-1));
    const double confidence = 1 - options.labelSmoothing;
    const double elsewhere = options.labelSmoothing / (classes - 1);
    // Only the sum over classes is needed, so the smoothed target itself is never stored.
    const double negativeEntropy
        = xLogY(confidence, confidence) + xLogY((classes - 1) * elsewhere, elsewhere);
    const torch::Tensor labels = targets.to(at::kLong);
    const torch::Tensor padded = labels == options.padIdx;
    const torch::Tensor picked
        = predictions.gather(-1, labels.masked_fill(padded, 0).unsqueeze(-1)).squeeze(-1);
    const torch::Tensor rows
        = negativeEntropy - elsewhere * predictions.sum(-1) - (confidence - elsewhere) * picked;
    const torch::Tensor loss = rows.masked_fill(padded, 0);
    if (options.reduction == "batchmean")
        return loss.sum() / batch;
    if (options.reduction == "batch")
        return loss.reshape({ batch, -1 }).sum(1) / lengths_B;
    if (options.reduction == "none")
        return loss;
    TORCH_CHECK(options.reduction == "mean" || options.reduction == "sum", "reduction '",
        options.reduction, "' is not available");
    return loss.sum();
}

torch::Tensor labelSmoothingSum(const torch::Tensor& logits_BUV, const torch::Tensor& targets_BU,
    const LabelSmoothingOptions& options)
{
    const AutocastOff fullPrecision(logits_BUV.device().type());
    const torch::Tensor ignored = targets_BU == options.paddingIdx;
    const torch::Tensor targets = targets_BU.masked_fill(ignored, 0).unsqueeze(-1);
    const torch::Tensor logProbs = torch::log_softmax(logits_BUV, -1, fullType(logits_BUV));
    const double confidence = 1 - options.smoothing;
    const double other = options.smoothing / static_cast<double>(logits_BUV.size(-1) - 1);
    const torch::Tensor smoothed
        = torch::full_like(logProbs, other).scatter_(-1, targets, confidence);
    const torch::Tensor losses = torch::kl_div(logProbs, smoothed, at::Reduction::None).sum(-1);
    return losses.masked_fill(ignored, 0).sum();
}

torch::Tensor labelSmoothingLoss(const torch::Tensor& logits_BUV, const torch::Tensor& targets_BU,
    const LabelSmoothingOptions& options, bool normalizeLength)
{
    const torch::Tensor sum = labelSmoothingSum(logits_BUV, targets_BU, options);
    return normalizeLength ? sum / (targets_BU != options.paddingIdx).sum()
                           : sum / targets_BU.size(0);
}

} // namespace earwright::model
