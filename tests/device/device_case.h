#pragma once

#include "core/train/task/task.h"
#include "tests/device/host_waits.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace earwright::tests {

/// What is trained on a device.
struct DeviceCase {
    std::string recipe; ///< text
    std::string optimizer = "torch.optim.SGD {lr: 0.01, momentum: 0.9}";
    std::function<void(train::Task&)> change; ///< after the layers were moved; {} = nothing
};

/// Two steps and an evaluation.
struct DevicePass {
    std::vector<double> losses;
    std::map<std::string, torch::Tensor> weights; ///< on the CPU
    std::vector<std::string> texts; ///< of validation, then of test
    DeviceLog step; ///< the second one, from its features to its update
};

/// The same on every device: seeds, batches and initial weights do not depend on it. Throws
/// std::runtime_error where the recipe cannot be built.
DevicePass passOn(c10::Device device, const DeviceCase& what);

/// A weight, and how far it is off, relative to the largest of its tensor.
struct WeightOff {
    std::string name;
    double off = 0;
};

WeightOff furthestWeight(const DevicePass& one, const DevicePass& other);

} // namespace earwright::tests
