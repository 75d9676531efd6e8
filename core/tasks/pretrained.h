#pragma once

#include "core/settings/tree.h"
#include "core/tasks/spec.h"

namespace earwright::tasks {

/// What is wrong with a recipe's pretrained encoder, `wav2vec2` or `whisper`, and with the keys
/// that go with it (settings::EncoderOptimizer). Nothing where the recipe has none.
void pretrainedRules(const Checked& recipe, settings::Diagnostics& found);

/// Features, and what works on them, beside a pretrained model, which is given the waves.
void featureRules(const Checked& recipe, settings::Diagnostics& found);

/// `fea_augment` of a resolved recipe changes the frames that its pretrained encoder gives, as
/// AISHELL-1's script for CTC has it.
bool augmentsFramesOf(const recipe::Node& root);

/// What is wrong with an encoder's own optimizer, schedule and warm-up. `optimizer`: the key by
/// which it would have one; "" where nothing of it is trained.
void optimizerRules(
    const recipe::Node& root, const std::string& optimizer, settings::Diagnostics& found);

/// Layers that are trained beside those of an encoder, and that upstream's scripts do not train.
void otherLayerRules(
    const recipe::Node& root, const settings::NodeSet& ofEncoder, settings::Diagnostics& found);

/// The keys that pretrainedRules() looks at, with their readers.
const std::vector<settings::KnownKey>& pretrainedKeys();

} // namespace earwright::tasks
