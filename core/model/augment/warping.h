#pragma once

#include "core/catalog/configs/augment.h"
#include "core/model/augment/augmentation.h"

namespace kymo::model {

/// speechbrain.augment.freq_domain.Warping: a frame (or a feature), drawn for the whole batch,
/// moves by up to the window, and both sides are stretched to fit. What is too short stays.
class Warping final : public Augmentation {
public:
    explicit Warping(const catalog::WarpingConfig& config)
        : m_config(config)
    {
    }
    Augmented apply(const torch::Tensor& features_BTF, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    torch::Tensor stretched(const torch::Tensor& x_B1TF, int64_t frames) const;

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

} // namespace kymo::model
