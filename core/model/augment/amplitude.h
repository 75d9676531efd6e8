#pragma once

#include <torch/types.h>

namespace earwright::model {

enum class Amplitude { Average, RootMeanSquare, Peak };

/// speechbrain.processing.signal_processing.compute_amplitude, linear. waves_BT; lengths_B1 in
/// samples: what the sum over the whole row is divided by, undefined = T. -> [B, 1].
torch::Tensor amplitudeOf(
    const torch::Tensor& waves_BT, Amplitude kind, const torch::Tensor& lengths_B1 = {});

} // namespace earwright::model
