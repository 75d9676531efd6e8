#include "core/model/paraformer/spec_aug_lfr.h"

#include "core/model/augment/warping.h"

#include <cmath>

namespace earwright::model {

namespace {

/// A range may be written as its upper end alone.
template <class Number>
void complete(std::vector<Number>& range)
{
    if (range.size() == 1)
        range.insert(range.begin(), 0);
}

} // namespace

SpecAugLfr::SpecAugLfr(
    const catalog::SpecAugLfrConfig& config, std::shared_ptr<RandomSource> random)
    : m_config(config)
    , m_random(std::move(random))
{
    complete(m_config.freqMaskWidthRange);
    if (m_config.timeMaskWidthRange)
        complete(*m_config.timeMaskWidthRange);
    if (m_config.timeMaskWidthRatioRange)
        complete(*m_config.timeMaskWidthRatioRange);
}

torch::Tensor SpecAugLfr::warped(const torch::Tensor& x_BTF, const torch::Tensor& lengths_B) const
{
    const Warp warp { .window = m_config.timeWarpWindow,
        .isBilinear = m_config.timeWarpMode == "bilinear" };
    if (!lengths_B.defined())
        return warpTime(x_BTF, warp, *m_random);
    const torch::Tensor counts_B
        = (lengths_B.to(torch::kCPU, torch::kDouble) * x_BTF.size(1)).round().to(torch::kLong);
    torch::Tensor result = x_BTF.clone();
    const bool areAlike = counts_B.eq(counts_B[0]).all().item<bool>();
    const int64_t rows = areAlike ? x_BTF.size(0) : 1; // at once
    for (int64_t row = 0; row < x_BTF.size(0); row += rows) {
        const torch::Tensor own
            = result.narrow(0, row, rows).narrow(1, 0, counts_B[row].item<int64_t>());
        own.copy_(warpTime(own, warp, *m_random));
    }
    return result;
}

/// bool [rows, axis]: what is masked.
torch::Tensor SpecAugLfr::draw(const Masks& masks, int64_t rows, int64_t axis) const
{
    const torch::Tensor widths_BN
        = m_random->integers(masks.low, masks.high, { rows, masks.count });
    const int64_t widest = widths_BN.numel() > 0 ? widths_BN.max().item<int64_t>() : 0;
    const torch::Tensor from_BN
        = m_random->integers(0, std::max<int64_t>(1, masks.size - widest), { rows, masks.count });
    const torch::Tensor place_A = torch::arange(axis);
    torch::Tensor masked = torch::zeros({ rows, axis }, torch::kBool);
    for (int64_t block = 0; block < masks.blocks; ++block) {
        const torch::Tensor from = (from_BN + block * masks.size).unsqueeze(-1);
        const torch::Tensor isIn
            = (place_A >= from).logical_and(place_A < from + widths_BN.unsqueeze(-1));
        masked = masked.logical_or(isIn.any(1));
    }
    return masked;
}

SpecAugLfr::Masks SpecAugLfr::overTime(int64_t frames) const
{
    if (m_config.timeMaskWidthRange)
        return { m_config.timeMaskWidthRange->at(0), m_config.timeMaskWidthRange->at(1),
            m_config.numTimeMask, frames };
    const std::vector<double>& shares = *m_config.timeMaskWidthRatioRange;
    const auto part = [&](double share) {
        return static_cast<int64_t>(std::floor(static_cast<double>(frames) * share));
    };
    return { std::max<int64_t>(0, part(shares[0])), std::min(frames, part(shares[1])),
        m_config.numTimeMask, frames };
}

torch::Tensor SpecAugLfr::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    if (!is_training())
        return input;
    const int64_t rows = input.size(0);
    torch::Tensor x = m_config.applyTimeWarp ? warped(input, lengths_B) : input;
    if (m_config.applyFreqMask) {
        const int64_t blocks = m_config.lfrRate + 1;
        const Masks masks { m_config.freqMaskWidthRange[0], m_config.freqMaskWidthRange[1],
            m_config.numFreqMask, x.size(2) / blocks, blocks };
        x = x.masked_fill(
            draw(masks, rows, x.size(2)).unsqueeze(1).to(x.device(), /*non_blocking=*/true), 0);
    }
    const Masks masks = m_config.applyTimeMask ? overTime(x.size(1)) : Masks {};
    if (masks.high > masks.low)
        x = x.masked_fill(
            draw(masks, rows, x.size(1)).unsqueeze(2).to(x.device(), /*non_blocking=*/true), 0);
    return x;
}

} // namespace earwright::model
