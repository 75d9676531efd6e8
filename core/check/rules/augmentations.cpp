#include "core/settings/augmentations.h"

#include "core/check/rules/rules.h"
#include "core/tasks/pretrained.h"
#include "core/tasks/spec.h"

namespace earwright::check::rules {

using recipe::NodePtr;

namespace {

/// The steps that it would wait for are not known while utterances are read.
void warmupOfSpeed(const Context& context, const NodePtr& waves, Diagnostics& found)
{
    const NodePtr warmup = recipe::find(context.root, "augment_warmup");
    if (!waves || !warmup || recipe::asInt(*warmup).value_or(0) <= 0
        || !tasks::drawsSpeedsWhileReading(context.root) || !settings::perUtteranceSpeed(*waves))
        return;
    report(found, recipe::Severity::Error, "augmentation",
        "'augment_warmup' cannot wait with the SpeedPerturb of 'wav_augment', whose speed is drawn "
        "while utterances are read; take it out of there, and name it 'speed_perturb' to have it "
        "from the first step on",
        warmup->span);
}

} // namespace

void augmentations(const Context& context, Diagnostics& found)
{
    const NodePtr waves = recipe::find(context.root, "wav_augment");
    warmupOfSpeed(context, waves, found);
    const NodePtr named = recipe::find(context.root, "fea_augment");
    const NodePtr features
        = named && !recipe::isNull(*named) ? named : recipe::find(context.root, "augmentation");
    for (const auto& [object, isOfWaves] : { std::pair(waves, true), { features, false } }) {
        if (!object)
            continue;
        settings::AugmentationUse use { .isOfWaves = isOfWaves,
            .carriesRows = tasks::carriesRows(context.root) };
        if (!isOfWaves && tasks::augmentsFramesOf(context.root)) {
            use.carriesRows = false;
            use.fixedTargets = "targets behind a pretrained encoder";
        }
        const auto refused = settings::refusalsOf(*object, use);
        found.insert(found.end(), refused.begin(), refused.end());
    }
}

} // namespace earwright::check::rules
