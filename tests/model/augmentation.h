#pragma once

#include "core/recipe/resolve.h"
#include "core/train/task/augment.h"

namespace earwright::tests {

inline constexpr int kRate = 8000;
inline constexpr int64_t kRows = 3;
inline constexpr int64_t kSamples = 4000;
inline constexpr settings::AugmentationUse kOfWaves { .isOfWaves = true };
inline constexpr settings::AugmentationUse kOfFeatures { .isOfWaves = false };

inline const std::string kTime = "speechbrain.augment.time_domain.";
inline const std::string kFrequency = "speechbrain.augment.freq_domain.";
inline const std::string kAugmenter = "speechbrain.augment.augmenter.Augmenter";

/// The object under `x` of a recipe.
inline recipe::NodePtr objectOf(const std::string& yaml)
{
    const recipe::Resolved resolved = recipe::resolve(yaml, "t.yaml", {});
    return resolved.root ? recipe::find(*resolved.root, "x") : nullptr;
}

inline recipe::NodePtr object(const std::string& className, const std::string& arguments)
{
    return objectOf("x: !new:" + className + "\n" + arguments);
}

/// "" or why the recipe's object is refused.
inline std::string refusal(const recipe::NodePtr& node, const settings::AugmentationUse& use)
{
    const auto made = train::BatchAugmenter::from(node.get(), use);
    return made ? "" : made.error().message;
}

/// The same at every call, which seeds.
inline torch::Tensor waves()
{
    torch::manual_seed(5);
    return torch::randn({ kRows, kSamples }) * 0.1;
}

inline torch::Tensor lengths()
{
    return torch::tensor({ 1.0F, 0.75F, 0.5F });
}

} // namespace earwright::tests
