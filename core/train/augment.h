#pragma once

#include "core/base/result.h"
#include "core/catalog/configs/augment.h"
#include "core/recipe/node.h"

#include <cstdint>
#include <torch/torch.h>
#include <vector>

namespace kymo::train {

/// Augmentation of features while training: speechbrain.augment.augmenter.Augmenter over
/// SpectrogramDrop, all in turn. Draws come from LibTorch's CPU generator, so that a resumed run
/// draws what an uninterrupted one would have drawn.
class FeatureAugmenter final {
public:
    /// A resolved Augmenter node, or null for none. The error names an augmentation that works on
    /// features and is not known here.
    static Result<FeatureAugmenter> from(const recipe::Node* augmenter);

    /// features_BTF; returns a changed copy.
    torch::Tensor apply(const torch::Tensor& features_BTF) const;

private:
    std::vector<catalog::SpectrogramDropConfig> m_drops;
    double m_probability = 1;
};

/// Speeds in percent of a SpeedPerturb inside the recipe's `wav_augment` or `augmentation`, as
/// factors: {90, 100} -> {0.9, 1.0}. Applied per utterance while it is read. The error names an
/// augmentation of waves that is not known here.
Result<std::vector<double>> speedsOf(const recipe::Node* augmenter);

} // namespace kymo::train
