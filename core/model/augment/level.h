#pragma once

#include "core/catalog/configs/augment/level.h"
#include "core/model/augment/augmentation.h"

namespace earwright::model {

/// speechbrain.augment.time_domain.DoClip: waves cut at a part of their peak and brought back to
/// it. A silent row stays silent (upstream's becomes NaN).
class DoClip final : public Augmentation {
public:
    explicit DoClip(const catalog::DoClipConfig& config)
        : m_config(config)
    {
    }
    Augmented apply(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    catalog::DoClipConfig m_config;
};

/// speechbrain…RandAmp: waves with a peak drawn for each row. A silent row stays silent.
class RandAmp final : public Augmentation {
public:
    explicit RandAmp(const catalog::RandAmpConfig& config)
        : m_config(config)
    {
    }
    Augmented apply(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    catalog::RandAmpConfig m_config;
};

/// speechbrain…DropBitResolution: waves as int16, int8 or float16 would hold them.
class DropBitResolution final : public Augmentation {
public:
    explicit DropBitResolution(const catalog::DropBitResolutionConfig& config)
        : m_config(config)
    {
    }
    Augmented apply(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    catalog::DropBitResolutionConfig m_config;
};

/// speechbrain…SignFlip: all rows turned over, or none.
class SignFlip final : public Augmentation {
public:
    explicit SignFlip(const catalog::SignFlipConfig& config)
        : m_config(config)
    {
    }
    Augmented apply(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    catalog::SignFlipConfig m_config;
};

} // namespace earwright::model
