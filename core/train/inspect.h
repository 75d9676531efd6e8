#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/train/placement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace earwright::train {

/// One layer of the task, in the order in which a batch passes them.
struct InspectedLayer {
    std::string key; ///< "enc"
    std::string className; ///< "CRDNN"
    std::string place; ///< "ctc.yaml:52"
    std::vector<int64_t> input; ///< shape of 2 rows of about 40 frames
    std::vector<int64_t> output;
    int64_t parameterCount = 0;
    int64_t trainedCount = 0; ///< of them ask for a gradient and are reachable from `modules`
    std::string device; ///< where its parameters are on rank 0; "" without parameters
};

struct OptimizerGroup {
    int64_t tensorCount = 0;
    int64_t parameterCount = 0;
    double learningRate = 0;
    double weightDecay = 0;
};

/// Of one rank, in bytes. Weights, gradients and optimizer state are exact; activations are the
/// peak above them in one step, extrapolated from small batches where not measured.
struct MemoryForecast {
    std::string precisions; ///< "fp32, tf32" or "bf16, fp16": those that hold the same sizes
    int64_t weightBytes = 0; ///< parameters and buffers
    int64_t gradientBytes = 0;
    int64_t optimizerBytes = 0;
    int64_t activationBytes = 0;
    int64_t measuredActivationBytes = -1; ///< of a step with a batch of that size; -1 = not asked

    int64_t totalBytes() const
    {
        return weightBytes + gradientBytes + optimizerBytes + activationBytes;
    }
};

/// The padded batch that a forecast is for.
struct BatchSize {
    int64_t rows = 0;
    double seconds = 0; ///< of the longest row
};

struct Inspected {
    std::vector<InspectedLayer> layers;
    std::vector<Placement> placements; ///< of every tensor
    std::vector<OptimizerGroup> groups;
    std::string optimizer; ///< "AdamW"
    BatchSize batch;
    std::vector<MemoryForecast> memory;
    /// What the forward refused: rule `shape-mismatch`, at the argument of the layer's input size,
    /// else at the layer. The forecast is then left out.
    std::optional<recipe::Diagnostic> error;
};

struct InspectOptions {
    /// What to forecast for; without it the largest batch of the first epoch, one rank's part.
    std::optional<BatchSize> batch {};
    bool measure = false; ///< also run a step with a batch of that size
};

/// Builds the model of a plan and sends 2 rows of about 40 frames of noise through it on the CPU
/// (LibTorch's C++ modules cannot go to the meta device), forward and backward. Errors: no
/// manifest to take the largest batch from, a layer that cannot be built.
Result<Inspected> inspect(const plan::Plan& plan, const InspectOptions& options);

/// Least squares is exact for three points: value(t) = a + b t + c t², from (t, value).
double extrapolate(const std::vector<std::pair<double, double>>& points, double at);

} // namespace earwright::train
