#pragma once

#include "core/catalog/configs/augment/spectrogram_drop.h"
#include "core/model/augment/augmentation.h"

namespace earwright::model {

/// speechbrain.augment.freq_domain.SpectrogramDrop: spans of frames or of features, drawn for each
/// row, take other values: zeros, the batch's mean, noise between its extremes, the row before
/// (cutcat) or other frames of the same row (swap). As upstream a span may reach past the end, and
/// "mean" counts the padding. random_selection draws anew for each batch (upstream stays with its
/// first draw). Source: Park et al. 2019, SpecAugment.
class SpectrogramDrop final : public Augmentation {
public:
    explicit SpectrogramDrop(const catalog::SpectrogramDropConfig& config)
        : m_config(config)
    {
    }
    Augmented apply(const torch::Tensor& features_BTF, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    torch::Tensor mask(const torch::Tensor& features_BTF, RandomSource& random) const;
    torch::Tensor replacement(const torch::Tensor& features_BTF, RandomSource& random) const;

    catalog::SpectrogramDropConfig m_config;
};

} // namespace earwright::model
