#pragma once

#include "tests/model/parity/case.h"

namespace earwright::tests {

/// The runners of one group of cases each.
Runners featureRunners();
Runners lossRunners();
Runners layerRunners();
Runners optimizerRunners();
Runners scheduleRunners();
Runners transformerRunners();
Runners trajectoryRunners();
Runners jointRunners();
Runners augmentRunners();
Runners paraformerRunners();
Runners decoderRunners();
Runners searchRunners();
Runners errorRateRunners();
Runners dataRunners();
Runners paraformerModelRunners();
Runners funasrFeatureRunners();
Runners languageModelRunners();
Runners pretrainedRunners();
Runners senseVoiceRunners();
Runners whisperRunners();
Runners whisperSearchRunners();
Runners adapterRunners();

} // namespace earwright::tests
