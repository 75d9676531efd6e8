#pragma once

#include "core/train/memory/device_memory.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <torch/types.h>
#include <vector>

namespace earwright::train {

/// Numbers of one optimizer step, as they left the device.
struct Reading {
    int64_t step = 0;
    double loss = 0; ///< this rank's, weighted by its share of the rows
    bool isLossFinite = true; ///< this rank's
    double gradNorm = 0;
    bool foundInf = false;
    double lossScale = 0; ///< 0 without scaling
    double seconds
        = 0; ///< since the step before was complete, by the device's clock where it has one
    double dataWait = 0; ///< share of these seconds spent waiting for data
    double reduceWait = 0; ///< share of them spent waiting in the all-reduce of the gradients
    double learningRate = 0;
    std::optional<double> encoderLearningRate {}; ///< of a pretrained encoder with its own
    std::optional<DeviceMemory> memory; ///< this rank's, as its host had queued the step
    std::vector<std::string> utterances;
};

/// For people: "'a', 'b', 'c' and 5 more".
std::string named(const std::vector<std::string>& utterances);

/// Device -> host copies that nobody waits for: pushed when a step is queued, popped when the next
/// one's backward is queued behind it.
// Note [A step late]
// Reading a loss where it is computed stops the host until the device has caught up, every step.
// Here the copy is queued behind the step and read while the device has the next one to do.
class StepMetrics final {
public:
    explicit StepMetrics(c10::Device device)
        : m_device(device)
    {
    }
    /// A stretch of steps begins: the time before it (validation, a checkpoint) belongs to no step.
    void start();
    /// values: 0-d tensors on the device, in the order loss, gradNorm, foundInf, lossScale.
    void push(Reading known, const std::vector<torch::Tensor>& values);
    /// The oldest under way, once the device is done with it; nothing where there is none.
    std::optional<Reading> pop();

private:
    struct Moment;
    struct Pending;
    std::shared_ptr<Moment> moment() const;

    c10::Device m_device;
    std::deque<std::shared_ptr<Pending>> m_pending;
    std::shared_ptr<Moment> m_lastDone;
};

} // namespace earwright::train
