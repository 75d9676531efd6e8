#pragma once

#include "core/recipe/diagnostic.h"

#include <string>
#include <vector>

namespace earwright::check {

/// What an augmentation is given, and who takes what it makes.
struct AugmentationUse {
    bool isOfWaves = true; ///< the recipe's `wav_augment`; else `fea_augment`
    bool carriesRows = true; ///< other rows and lengths than the batch's find their targets
    int sampleRateHz = 0; ///< of the waves; 0 = what `clean_sample_rate` says
};

/// Whether the task that the recipe names follows an augmentation that makes other rows or lengths
/// of a batch. A Paraformer's does not.
bool carriesRows(const recipe::Node& recipe);

/// What no training can do with a resolved object of speechbrain.augment, an Augmenter with all
/// that it holds: errors of the rule "augmentation", each with what to do about it. They are what
/// `earwright check` says and what the trainer refuses by. Classes that cannot be built are left to
/// others.
std::vector<recipe::Diagnostic> refusalsOf(const recipe::Node& object, const AugmentationUse& use);

/// The augmentations of an Augmenter in its order, without those that enable_augmentations switches
/// off.
std::vector<recipe::NodePtr> enabledParts(const recipe::Node& augmenter);

bool isSpeedPerturb(const recipe::Node& object);

/// The SpeedPerturb of which a training draws a speed for each utterance while it is read, so that
/// every rank knows all lengths: the object itself, or the only one of an Augmenter that applies it
/// always, first, once, and to all rows. Null for any other: its speed is drawn for a batch.
recipe::NodePtr perUtteranceSpeed(const recipe::Node& object);

} // namespace earwright::check
