#include "core/train/task/augment.h"

#include "core/catalog/configs/augment/speed.h"
#include "core/catalog/read.h"
#include "core/model/autocast_off.h"

namespace earwright::train {

namespace {

Error errorOf(const recipe::Diagnostic& diagnostic)
{
    return Error { diagnostic.span.file + ":" + std::to_string(diagnostic.span.begin.line) + ": "
        + diagnostic.message };
}

} // namespace

Result<BatchAugmenter> BatchAugmenter::from(
    const recipe::Node* node, const check::AugmentationUse& use)
{
    BatchAugmenter augmenter;
    if (!node || recipe::newClass(*node).empty())
        return augmenter;
    if (const auto refusals = check::refusalsOf(*node, use); !refusals.empty())
        return errorOf(refusals.front());
    if (check::isSpeedPerturb(*node))
        return augmenter;
    Result<std::unique_ptr<model::Augmentation>> made
        = model::makeAugmentation(*node, model::Speeds::WhileReading, use.sampleRateHz);
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

std::vector<double> speedsOf(const recipe::Node* augmenter)
{
    const recipe::NodePtr speed = augmenter ? check::perUtteranceSpeed(*augmenter) : nullptr;
    if (!speed)
        return {};
    std::vector<recipe::Diagnostic> diagnostics;
    std::vector<double> speeds;
    for (const double percent :
        catalog::readConfig<catalog::SpeedPerturbConfig>(*speed, diagnostics).speeds)
        speeds.push_back(percent / 100);
    return speeds;
}

} // namespace earwright::train
