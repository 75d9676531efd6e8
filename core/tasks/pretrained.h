#pragma once

#include "core/tasks/spec.h"

namespace earwright::tasks {

/// What is wrong with a recipe's pretrained encoder, `wav2vec2` or `whisper`, and with the keys
/// that go with it (settings::EncoderOptimizer). Nothing where the recipe has none.
void pretrainedRules(const Checked& recipe, settings::Diagnostics& found);

/// Features, and what works on them, beside a pretrained model, which is given the waves.
void featureRules(const Checked& recipe, settings::Diagnostics& found);

/// The keys that pretrainedRules() looks at, with their readers.
const std::vector<settings::KnownKey>& pretrainedKeys();

} // namespace earwright::tasks
