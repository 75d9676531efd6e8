#pragma once

#include "core/catalog/configs/augment/warping.h"
#include "core/model/augment/augmentation.h"

namespace earwright::model {

/// How a warp is done.
struct Warp {
    int64_t window = 5; ///< frames
    bool isBilinear = false; ///< else bicubic
    bool alignsCorners = false; ///< as torch.nn.functional.interpolate has it
};
/// A frame of [B, T, F], drawn for all rows, moves by up to the window, and both sides are
/// stretched to fit; what is too short stays. Draws: the frame, then the place behind the one it
/// moves to.
torch::Tensor warpTime(const torch::Tensor& x_BTF, const Warp& warp, RandomSource& random);

/// speechbrain.augment.freq_domain.Warping, of frames or of features.
class Warping final : public Augmentation {
public:
    explicit Warping(const catalog::WarpingConfig& config)
        : m_config(config)
    {
    }
    Augmented apply(const torch::Tensor& features_BTF, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    catalog::WarpingConfig m_config;
};

/// speechbrain.augment.freq_domain.RandomShift: everything moves around by the same number of
/// frames or features; along time the lengths move with it, within [0, 1].
class RandomShift final : public Augmentation {
public:
    explicit RandomShift(const catalog::RandomShiftConfig& config)
        : m_config(config)
    {
    }
    Augmented apply(const torch::Tensor& features_BTF, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    catalog::RandomShiftConfig m_config;
};

} // namespace earwright::model
