#include "core/train/task/augment.h"

#include "core/catalog/configs/augment/speed.h"
#include "core/catalog/read.h"
#include "core/model/autocast_off.h"
#include "core/tasks/spec.h"

namespace earwright::train {

namespace {

Error errorOf(const recipe::Diagnostic& diagnostic)
{
    return Error { diagnostic.span.file + ":" + std::to_string(diagnostic.span.begin.line) + ": "
        + diagnostic.message };
}

} // namespace

Result<BatchAugmenter> BatchAugmenter::from(
    const recipe::Node* node, const settings::AugmentationUse& use)
{
    BatchAugmenter augmenter;
    if (!node || recipe::newClass(*node).empty())
        return augmenter;
    if (const auto refusals = settings::refusalsOf(*node, use); !refusals.empty())
        return errorOf(refusals.front());
    if (settings::isSpeedPerturb(*node) && use.drawsSpeedsWhileReading)
        return augmenter;
    const model::Speeds speeds
        = use.drawsSpeedsWhileReading ? model::Speeds::WhileReading : model::Speeds::Here;
    Result<std::unique_ptr<model::Augmentation>> made
        = model::makeAugmentation(*node, speeds, use.sampleRateHz);
    if (!made)
        return made.error();
    augmenter.m_augmentation = std::move(*made);
    return augmenter;
}

model::Augmented BatchAugmenter::apply(const torch::Tensor& x, const torch::Tensor& lengths_B) const
{
    if (!m_augmentation)
        return { x, lengths_B };
    // In half precision autocast would run the filters' convolutions.
    const model::AutocastOff fullPrecision(x.device().type());
    model::RandomSource random;
    return m_augmentation->apply(x, lengths_B, random);
}

std::vector<double> speedsOf(const recipe::Node& recipe)
{
    const recipe::NodePtr augmenter = recipe::find(recipe, "wav_augment");
    std::vector<double> speeds;
    for (const recipe::NodePtr& perturb : { settings::speedWhileReading(recipe).perturb,
             augmenter && tasks::drawsSpeedsWhileReading(recipe)
                 ? settings::perUtteranceSpeed(*augmenter)
                 : nullptr }) {
        if (!perturb)
            continue;
        std::vector<recipe::Diagnostic> saidByTheCheck;
        const auto config
            = catalog::readConfig<catalog::SpeedPerturbConfig>(*perturb, saidByTheCheck);
        std::vector<double> product;
        for (const double before : speeds.empty() ? std::vector<double> { 1 } : speeds)
            for (const double percent : config.speeds)
                product.push_back(before * percent / 100);
        speeds = std::move(product);
    }
    return speeds;
}

} // namespace earwright::train
