#pragma once

#include "core/tasks/spec.h"

namespace earwright::tasks {

// Who feeds whom in SpeechBrain's recipes.

/// From the features to the output layer of CTC, of all tasks of theirs.
std::vector<Flow> speechFlows();
/// Between layers that only upstream's scripts know.
const std::vector<Flow>& scriptFlows();

/// An encoder, by its names.
Names encoderLayers();
/// A decoder that looks back at an encoder, by its names.
Names decoderLayers();

} // namespace earwright::tasks
