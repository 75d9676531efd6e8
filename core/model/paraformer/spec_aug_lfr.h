#pragma once

#include "core/catalog/configs/spec_aug.h"
#include "core/model/augment/random_source.h"
#include "core/model/layer.h"

namespace earwright::model {

/// funasr.models.specaug.specaug.SpecAugLFR, and SpecAug, which is the one with lfr_rate 0: frames
/// are warped, then bands of mel bins, the same in each of the stacked frames, and spans of frames
/// are set to 0. As upstream: rows of several lengths are warped each by itself, within its length,
/// others alike; masks do not look at lengths, one starts below size - (the batch's widest mask),
/// and lfr_rate is one less than the frames stacked.
class SpecAugLfr final : public Layer {
public:
    /// The config's misfits() are not looked at.
    explicit SpecAugLfr(const catalog::SpecAugLfrConfig& config,
        std::shared_ptr<RandomSource> random = std::make_shared<RandomSource>());

    /// [batch, time, features], changed in training. lengths_B: relative, on the CPU unless the
    /// call may wait for the device; undefined: all rows are full.
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    struct Masks {
        int64_t low = 0;
        int64_t high = 0;
        int64_t count = 0;
        int64_t size = 0; ///< of the axis, or of one of its blocks
        int64_t blocks = 1;
    };
    torch::Tensor warped(const torch::Tensor& x_BTF, const torch::Tensor& lengths_B) const;
    torch::Tensor draw(const Masks& masks, int64_t rows, int64_t axis) const;
    Masks overTime(int64_t frames) const;

    catalog::SpecAugLfrConfig m_config;
    std::shared_ptr<RandomSource> m_random;
};

} // namespace earwright::model
