#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.augment.augmenter.Augmenter
struct AugmenterConfig {
    bool parallelAugment = false;
    bool parallelAugmentFixedBs = false;
    bool concatOriginal = false;
    std::optional<int64_t> minAugmentations;
    std::optional<int64_t> maxAugmentations;
    bool shuffleAugmentations = false;
    int64_t repeatAugment = 1;
    int64_t augmentStartIndex = 0;
    std::optional<int64_t> augmentEndIndex;
    int64_t concatStartIndex = 0;
    std::optional<int64_t> concatEndIndex;
    double augmentProb = 1.0;
    recipe::NodePtr augmentations;
    std::optional<std::vector<bool>> enableAugmentations;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("parallel_augment", parallelAugment,
            { .help = "each alone, results joined as one batch" });
        field("parallel_augment_fixed_bs", parallelAugmentFixedBs);
        field("concat_original", concatOriginal, { .help = "keep the unchanged batch too" });
        field("min_augmentations", minAugmentations, { .min = 0, .help = "null = 1" });
        field("max_augmentations", maxAugmentations, { .min = 0, .help = "null = all" });
        field("shuffle_augmentations", shuffleAugmentations);
        field("repeat_augment", repeatAugment, { .min = 0 });
        field(
            "augment_start_index", augmentStartIndex, { .min = 0, .atMost = "augment_end_index" });
        field("augment_end_index", augmentEndIndex);
        field("concat_start_index", concatStartIndex, { .min = 0, .atMost = "concat_end_index" });
        field("concat_end_index", concatEndIndex);
        field("augment_prob", augmentProb, { .min = 0, .max = 1 });
        field("augmentations", augmentations, { .help = "list of augmentation objects" });
        field("enable_augmentations", enableAugmentations, { .help = "one per augmentation" });
    }

    std::vector<Misfit> misfits() const
    {
        const size_t count = augmentations ? augmentations->items.size() : 0;
        if (!enableAugmentations || enableAugmentations->size() == count)
            return {};
        return { { "enable_augmentations",
            "as long as 'augmentations', " + std::to_string(count) + ", not "
                + std::to_string(enableAugmentations->size()) } };
    }
};

} // namespace earwright::catalog
