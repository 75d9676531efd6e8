#include "core/train/batch_parts.h"

#include <algorithm>

namespace kymo::train {

namespace {

int64_t massOf(int64_t utterances, int64_t tokens, LossUnit unit)
{
    return unit == LossUnit::Tokens ? tokens : utterances;
}

torch::Tensor widened(const torch::Tensor& x_BT, int64_t width)
{
    const torch::Tensor wide = torch::constant_pad_nd(x_BT, { 0, width - x_BT.size(1) });
    return x_BT.is_pinned() ? wide.pin_memory() : wide;
}

/// The whole numbers behind relative lengths, relative to another width: to the bit what the
/// loader gives a batch of that width.
torch::Tensor rescaled(const torch::Tensor& lengths_B, int64_t from, int64_t to)
{
    const torch::Tensor counts_B = (lengths_B.to(torch::kFloat64) * from).round();
    const torch::Tensor scaled_B = (counts_B / to).to(torch::kFloat32);
    return lengths_B.is_pinned() ? scaled_B.pin_memory() : scaled_B;
}

void padTo(torch::Tensor& x_BT, torch::Tensor& lengths_B, int64_t width)
{
    if (x_BT.size(1) == width)
        return;
    lengths_B = rescaled(lengths_B, x_BT.size(1), width);
    x_BT = widened(x_BT, width);
}

} // namespace

std::vector<double> sharesOf(
    const std::vector<data::Batch>& microBatches, LossUnit unit, int64_t ranks)
{
    int64_t total = 0;
    for (const data::Batch& batch : microBatches)
        total += massOf(batch.wholeSize, batch.wholeTokens, unit);
    std::vector<double> shares;
    for (const data::Batch& batch : microBatches) {
        const auto mass = static_cast<double>(massOf(std::ssize(batch.ids), batch.tokens, unit));
        const double share
            = unit == LossUnit::Sum ? 1 : mass / static_cast<double>(std::max<int64_t>(total, 1));
        shares.push_back(batch.wholeSize < ranks ? share / static_cast<double>(ranks) : share);
    }
    return shares;
}

void padAlike(std::vector<data::Batch>& microBatches)
{
    int64_t samples = 0;
    int64_t tokens = 0;
    for (const data::Batch& batch : microBatches) {
        samples = std::max(samples, batch.wavs_BT.size(1));
        tokens = std::max(tokens, batch.tokens_BL.size(1));
    }
    for (data::Batch& batch : microBatches) {
        padTo(batch.wavs_BT, batch.wavLens_B, samples);
        padTo(batch.tokens_BL, batch.tokenLens_B, tokens);
    }
}

} // namespace kymo::train
