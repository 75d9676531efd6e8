#pragma once

#include "core/tasks/spec.h"

namespace earwright::tasks {

// What the tasks of SpeechBrain's recipes share.

/// Features to the output layer of CTC.
const std::vector<settings::KnownKey>& speechKeys();

/// `blank_index` alone.
settings::SpecialLabels speechSpecialLabels(const recipe::Node& root);
/// `output_neurons`, and the argument of the output layer.
Names speechClassPaths(const recipe::Node& root);
/// That of a pretrained encoder, or `compute_features` (hop), `CNN` (strides), `enc` or `model`
/// (time pooling of a CRDNN). What it does not know counts as no subsampling, so that frames are
/// rather too many than too few.
std::optional<settings::FrameRate> speechFrameRate(const recipe::Node& root, int sampleRateHz);

} // namespace earwright::tasks
