#pragma once

#include "core/base/result.h"
#include "core/model/augment/augmentation.h"
#include "core/recipe/node.h"

#include <torch/torch.h>
#include <vector>

namespace kymo::train {

/// Augmentation of a batch while training, as the recipe's `fea_augment` or `wav_augment` says it.
class BatchAugmenter final {
public:
    /// A resolved node of speechbrain.augment, an Augmenter or one augmentation; null for none.
    /// SpeedPerturb is left out: see speedsOf(). Errors name what is not known or cannot be done
    /// here, with its place.
    static Result<BatchAugmenter> from(const recipe::Node* node, model::Domain domain);

    /// x: waves [B, T] or features [B, T, F], lengths_B relative, on the CPU. Returns a changed
    /// copy of the same rows, computed in x's own type under every precision; x itself where there
    /// is nothing to do.
    torch::Tensor apply(const torch::Tensor& x, const torch::Tensor& lengths_B) const;

private:
    std::shared_ptr<model::Augmentation> m_augmentation;
};

/// Speeds in percent of the SpeedPerturbs inside the recipe's `wav_augment`, as factors: {90, 100}
/// -> {0.9, 1.0}. One is drawn per utterance while it is read. Errors: where the Augmenter would
/// not always apply it.
Result<std::vector<double>> speedsOf(const recipe::Node* augmenter);

} // namespace kymo::train
