#pragma once

#include "core/catalog/configs/augment/drop_chunk.h"
#include "core/model/augment/augmentation.h"

namespace earwright::model {

/// speechbrain.augment.time_domain.DropChunk: spans of samples, drawn for each row within its
/// length, become silence or noise. A span longer than its row reaches into the padding.
class DropChunk final : public Augmentation {
public:
    explicit DropChunk(const catalog::DropChunkConfig& config)
        : m_config(config)
    {
    }
    Augmented apply(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    /// What the noise in a span goes up to, one a row; undefined where spans become silence.
    torch::Tensor noiseFor(const torch::Tensor& waves_BT, const torch::Tensor& samples_B) const;
    void dropFrom(torch::Tensor wave_T, int64_t length, int64_t count,
        const torch::Tensor& noiseHigh, RandomSource& random) const;

    catalog::DropChunkConfig m_config;
};

/// speechbrain…FastDropChunk: masks drawn once for the length of the first batch, then shuffled and
/// moved around. For batches of one length only, and what it drew is in no checkpoint: not for a
/// training here.
class FastDropChunk final : public Augmentation {
public:
    explicit FastDropChunk(const catalog::FastDropChunkConfig& config)
        : m_config(config)
    {
    }
    Augmented apply(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    torch::Tensor drawMasks(int64_t samples, RandomSource& random) const;

    catalog::FastDropChunkConfig m_config;
    torch::Tensor m_masks_NT; ///< n_masks of them; a batch takes the first
};

} // namespace earwright::model
