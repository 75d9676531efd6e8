#include "core/model/paraformer/spec_aug_lfr.h"

#include <cmath>

namespace kymo::model {

namespace {

/// A range may be written as its upper end alone.
template <class Number>
void complete(std::vector<Number>& range, const char* name)
{
    if (range.size() == 1)
        range.insert(range.begin(), 0);
    TORCH_CHECK(range.size() == 2 && range[1] > range[0], name, " needs two numbers that rise");
}

} // namespace

SpecAugLfr::SpecAugLfr(const catalog::SpecAugLfrConfig& config, Draw draw)
    : m_config(config)
    , m_draw(std::move(draw))
{
    TORCH_CHECK(!config.applyTimeWarp,
        "Kymo builds a SpecAugLFR with apply_time_warp: False (upstream's default is True)");
    TORCH_CHECK(config.applyFreqMask || config.applyTimeMask,
        "either apply_freq_mask or apply_time_mask must be True");
    TORCH_CHECK(!config.applyTimeMask
            || config.timeMaskWidthRange.has_value() != config.timeMaskWidthRatioRange.has_value(),
        "apply_time_mask needs one of time_mask_width_range and time_mask_width_ratio_range");
    complete(m_config.freqMaskWidthRange, "freq_mask_width_range");
    if (m_config.timeMaskWidthRange)
        complete(*m_config.timeMaskWidthRange, "time_mask_width_range");
    if (m_config.timeMaskWidthRatioRange)
        complete(*m_config.timeMaskWidthRatioRange, "time_mask_width_ratio_range");
    if (!m_draw)
        m_draw = [](int64_t low, int64_t high, at::IntArrayRef shape) {
            return torch::randint(low, high, shape, torch::kLong);
        };
}

/// bool [rows, axis]: what is masked.
torch::Tensor SpecAugLfr::draw(const Masks& masks, int64_t rows, int64_t axis) const
{
    const torch::Tensor widths_BN = m_draw(masks.low, masks.high, { rows, masks.count });
    const int64_t widest = widths_BN.numel() > 0 ? widths_BN.max().item<int64_t>() : 0;
    const torch::Tensor from_BN
        = m_draw(0, std::max<int64_t>(1, masks.size - widest), { rows, masks.count });
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

torch::Tensor SpecAugLfr::forward(torch::Tensor input, torch::Tensor)
{
    if (!is_training())
        return input;
    const int64_t rows = input.size(0);
    torch::Tensor x = input;
    if (m_config.applyFreqMask) {
        const int64_t blocks = m_config.lfrRate + 1;
        const Masks masks { m_config.freqMaskWidthRange[0], m_config.freqMaskWidthRange[1],
            m_config.numFreqMask, x.size(2) / blocks, blocks };
        x = x.masked_fill(draw(masks, rows, x.size(2)).unsqueeze(1).to(x.device()), 0);
    }
    const Masks masks = m_config.applyTimeMask ? overTime(x.size(1)) : Masks {};
    if (masks.high > masks.low)
        x = x.masked_fill(draw(masks, rows, x.size(1)).unsqueeze(2).to(x.device()), 0);
    return x;
}

} // namespace kymo::model
