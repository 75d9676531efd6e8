#pragma once

#include "core/tasks/spec.h"

namespace earwright::tasks::ctc {

/// What is wrong with `downsampler` and `upsampling`, which SpeechBrain's scripts of CTC on
/// pretrained encoders read.
void downsamplingRules(const Checked& recipe, settings::Diagnostics& found);

} // namespace earwright::tasks::ctc
