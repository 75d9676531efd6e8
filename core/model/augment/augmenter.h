#pragma once

#include "core/catalog/configs/augment/augmenter.h"
#include "core/model/augment/augmentation.h"

namespace earwright::model {

/// speechbrain.augment.augmenter.Augmenter: some of its augmentations, one after the other or each
/// alone (parallel_augment), on some rows of a batch, perhaps beside the unchanged ones
/// (concat_original). What comes out of different lengths is padded to the longest.
class Augmenter final : public Augmentation {
public:
    using Parts = std::vector<std::unique_ptr<Augmentation>>;

    /// `numSwitchedOff`: by enable_augmentations. Upstream draws how many are applied as if these
    /// were there.
    Augmenter(const catalog::AugmenterConfig& config, Parts parts, int64_t numSwitchedOff = 0);
    /// rows_B of the result tells which input row each output row came from, for the labels.
    Augmented apply(
        const torch::Tensor& x, const torch::Tensor& lengths_B, RandomSource& random) override;

private:
    std::vector<Augmentation*> choose(RandomSource& random) const;
    Augmented augment(const Augmented& given, const std::vector<Augmentation*>& chosen,
        RandomSource& random) const;

    catalog::AugmenterConfig m_config;
    Parts m_parts;
    int64_t m_fewest = 1;
    int64_t m_most = 1;
};

} // namespace earwright::model
