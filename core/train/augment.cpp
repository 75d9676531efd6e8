#include "core/train/augment.h"

#include "core/catalog/configs/augment.h"
#include "core/catalog/read.h"
#include "core/model/autocast_off.h"
#include "core/model/layer_table.h"

#include <algorithm>

namespace kymo::train {

namespace {

constexpr const char* kSpeed = "speechbrain.augment.time_domain.SpeedPerturb";

bool isSpeed(const recipe::Node& node)
{
    return model::canonicalClass(recipe::newClass(node)) == kSpeed;
}

/// In the order of upstream, without those that enable_augmentations switches off.
std::vector<recipe::NodePtr> enabledParts(
    const recipe::Node& augmenter, const catalog::AugmenterConfig& config)
{
    std::vector<recipe::NodePtr> parts;
    const recipe::NodePtr list = recipe::find(augmenter, "augmentations");
    for (size_t i = 0; list && i < list->items.size(); ++i) {
        const bool isOff = config.enableAugmentations && i < config.enableAugmentations->size()
            && !(*config.enableAugmentations)[i];
        if (!isOff)
            parts.push_back(list->items[i]);
    }
    return parts;
}

/// The speed of an utterance is drawn where it is read, so that every rank knows all lengths:
/// always, and before all other augmentations.
Status mayDrawSpeeds(const recipe::Node& augmenter, const catalog::AugmenterConfig& config,
    const std::vector<recipe::NodePtr>& parts)
{
    bool isBehindOther = false;
    bool areAllSpeeds = true;
    for (const recipe::NodePtr& part : parts) {
        isBehindOther = isBehindOther || (isSpeed(*part) && !areAllSpeeds);
        areAllSpeeds = areAllSpeeds && isSpeed(*part);
    }
    const bool isAlways = !config.shuffleAugmentations && !config.parallelAugment
        && config.augmentProb >= 1 && config.minAugmentations.value_or(1) >= 1;
    if (areAllSpeeds || (isAlways && !isBehindOther))
        return Done {};
    return Error { augmenter.span.file + ":" + std::to_string(augmenter.span.begin.line)
        + ": SpeedPerturb beside other augmentations must be the first of them and always applied "
          "(no shuffle_augmentations, no parallel_augment, augment_prob 1): the speed of an "
          "utterance is drawn while it is read" };
}

} // namespace

Result<BatchAugmenter> BatchAugmenter::from(const recipe::Node* node, model::Domain domain)
{
    BatchAugmenter augmenter;
    if (!node || recipe::newClass(*node).empty() || isSpeed(*node))
        return augmenter;
    Result<std::unique_ptr<model::Augmentation>> made = model::makeAugmentation(*node, domain);
    if (!made)
        return made.error();
    augmenter.m_augmentation = std::move(*made);
    return augmenter;
}

torch::Tensor BatchAugmenter::apply(const torch::Tensor& x, const torch::Tensor& lengths_B) const
{
    if (!m_augmentation)
        return x;
    // In half precision autocast would run the filters' convolutions.
    const model::AutocastOff fullPrecision(x.device().type());
    model::RandomSource random;
    return m_augmentation->apply(x, lengths_B, random).x;
}

Result<std::vector<double>> speedsOf(const recipe::Node* augmenter)
{
    std::vector<double> speeds;
    if (!augmenter || recipe::newClass(*augmenter).empty())
        return speeds;
    std::vector<recipe::Diagnostic> diagnostics;
    std::vector<recipe::NodePtr> parts { std::make_shared<recipe::Node>(*augmenter) };
    if (!isSpeed(*augmenter)) {
        const auto config = catalog::readConfig<catalog::AugmenterConfig>(*augmenter, diagnostics);
        parts = enabledParts(*augmenter, config);
        const bool hasSpeed = std::any_of(
            parts.begin(), parts.end(), [](const recipe::NodePtr& part) { return isSpeed(*part); });
        if (const Status drawn = mayDrawSpeeds(*augmenter, config, parts); hasSpeed && !drawn)
            return drawn.error();
    }
    for (const recipe::NodePtr& part : parts) {
        if (!isSpeed(*part))
            continue;
        for (const double percent :
            catalog::readConfig<catalog::SpeedPerturbConfig>(*part, diagnostics).speeds)
            speeds.push_back(percent / 100);
    }
    return speeds;
}

} // namespace kymo::train
