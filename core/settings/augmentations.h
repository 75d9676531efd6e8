#pragma once

#include "core/recipe/diagnostic.h"

#include <string>
#include <vector>

namespace earwright::settings {

/// What an augmentation is given, and who takes what it makes.
struct AugmentationUse {
    bool isOfWaves = true; ///< the recipe's `wav_augment`; else `fea_augment`
    bool carriesRows = true; ///< other rows and lengths than the batch's find their targets
    bool drawsSpeedsWhileReading = true; ///< tasks::drawsSpeedsWhileReading()
    int sampleRateHz = 0; ///< of the waves; 0 = what `clean_sample_rate` says
    const char* fixedTargets = "a Paraformer's targets"; ///< that keep to the batch as it was read
};

/// What no training can do with a resolved object of speechbrain.augment, an Augmenter with all
/// that it holds: errors of the rule "augmentation", each with what to do about it. They are what
/// `earwright check` says and what the trainer refuses by. Classes that cannot be built are left to
/// others.
std::vector<recipe::Diagnostic> refusalsOf(const recipe::Node& object, const AugmentationUse& use);

/// The augmentations of an Augmenter in its order, without those that enable_augmentations switches
/// off.
std::vector<recipe::NodePtr> enabledParts(const recipe::Node& augmenter);

bool isSpeedPerturb(const recipe::Node& object);

/// The SpeedPerturb that a recipe has as `speed_perturb`.
struct ReadingSpeed {
    recipe::NodePtr perturb; ///< null where it is not applied while utterances are read
    std::string why; ///< for people: why it is, or is not; "" where the recipe has none, or lists
                     ///< it in an Augmenter that runs it alone
};

/// Upstream's scripts differ in whether they run `speed_perturb` on each utterance of the training
/// set as it is read, before `wav_augment` and whatever `augment_warmup` says, and a recipe does
/// not name its script. `do_speed_perturb` says it; without, it is what the script of a recipe with
/// these keys does. Source: recipes/{LibriSpeech,Switchboard,Tedlium2,…}/ASR/*/train.py.
ReadingSpeed speedWhileReading(const recipe::Node& recipe);

/// The SpeedPerturb of which a training draws a speed for each utterance while it is read, so that
/// every rank knows all lengths: the object itself, or the only one of an Augmenter that applies it
/// always, first, once, and to all rows. Null for any other: its speed is drawn for a batch.
recipe::NodePtr perUtteranceSpeed(const recipe::Node& object);

} // namespace earwright::settings
