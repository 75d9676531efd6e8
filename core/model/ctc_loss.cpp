#include "core/model/ctc_loss.h"

#include "core/model/autocast_off.h"
#include "core/model/deterministic.h"
#include "core/model/masks.h"

namespace earwright::model {

namespace {

int64_t atenReduction(const std::string& reduction)
{
    if (reduction == "mean")
        return at::Reduction::Mean;
    return reduction == "sum" || reduction == "batchmean" ? at::Reduction::Sum
                                                          : at::Reduction::None;
}

} // namespace

torch::Tensor ctcLoss(const torch::Tensor& logProbs_BTV, const torch::Tensor& targets_BS,
    const torch::Tensor& lengths_B, const torch::Tensor& targetLengths_B,
    const catalog::CtcLossConfig& config)
{
    const AutocastOff fullPrecision(logProbs_BTV.device().type());
    const torch::Tensor frames_B = frameCounts(lengths_B, logProbs_BTV.size(1));
    const torch::Tensor labels_B = frameCounts(targetLengths_B, targets_BS.size(1));
    const torch::Tensor logProbs_TBV = logProbs_BTV.to(fullType(logProbs_BTV)).transpose(0, 1);
    const torch::Tensor loss = ctcLossOf(logProbs_TBV, { targets_BS, frames_B, labels_B },
        config.blankIndex, atenReduction(config.reduction));
    if (config.reduction == "batchmean")
        return loss / targets_BS.size(0);
    if (config.reduction == "batch")
        return loss / labels_B.to(loss.device(), true);
    return loss;
}

} // namespace earwright::model
