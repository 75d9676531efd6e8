#pragma once

#include "core/base/result.h"
#include "core/model/augment/augmentation.h"
#include "core/recipe/node.h"
#include "core/settings/augmentations.h"

#include <torch/types.h>
#include <vector>

namespace earwright::train {

/// Augmentation of a batch while training, as the recipe's `fea_augment` or `wav_augment` says it.
class BatchAugmenter final {
public:
    /// A resolved node of speechbrain.augment, an Augmenter or one augmentation; null for none. The
    /// SpeedPerturb of speedsOf() is left out. Errors, with their place: what is not known, and
    /// settings::refusalsOf().
    static Result<BatchAugmenter> from(
        const recipe::Node* node, const settings::AugmentationUse& use);

    /// x: waves [B, T] or features [B, T, F], lengths_B relative, on the CPU. A changed copy,
    /// computed in x's own type under every precision; x itself where there is nothing to do. Rows
    /// and lengths are those given, unless the task carries others.
    model::Augmented apply(const torch::Tensor& x, const torch::Tensor& lengths_B) const;

private:
    std::shared_ptr<model::Augmentation> m_augmentation;
};

/// The speeds of which one is drawn for each utterance while it is read, as factors: {90, 100} ->
/// {0.9, 1.0}. Those of settings::speedWhileReading(), times those of `wav_augment` where it has a
/// settings::perUtteranceSpeed(). None where the recipe has neither.
std::vector<double> speedsOf(const recipe::Node& recipe);

} // namespace earwright::train
