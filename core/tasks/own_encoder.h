#pragma once

#include "core/tasks/spec.h"

namespace earwright::tasks {

/// Such an encoder is trained by CTC alone.
inline constexpr settings::Reader kCtcReader { "train::CtcTask" };

/// What is wrong with an encoder that SpeechBrain pretrained itself (settings::OwnEncoder) and with
/// the keys that go with it. Nothing where the recipe has none.
void ownEncoderRules(const Checked& recipe, settings::Diagnostics& found);

/// The keys of such an encoder, with their readers.
const std::vector<settings::KnownKey>& ownEncoderKeys();

} // namespace earwright::tasks
