#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace earwright::check {

/// One CUDA device, in CUDA's own order after CUDA_VISIBLE_DEVICES.
struct Gpu {
    std::string name;
    std::string uuid;
    int capabilityMajor = 0; ///< compute capability: tf32 and bf16 need 8.0
    int capabilityMinor = 0;
    int64_t totalMemoryBytes = 0;
    int64_t freeMemoryBytes = 0;
    double utilization = -1; ///< percent; -1 where NVML does not say
    std::string computeMode {}; ///< "default" | "exclusive_process" | …; "" where NVML does not say
    int64_t processes = -1; ///< that compute on it; -1 where NVML does not say
    bool isLost = false; ///< it has fallen off the bus: nothing reaches it
};

/// What a check must know of the machine; probed once and passed in as data.
struct Machine {
    int cpuCores = 1;
    int64_t memoryBytes = 0;
    std::vector<Gpu> gpus; ///< that CUDA can use
    int64_t driverGpus = 0; ///< that the NVIDIA driver knows; 0 where nobody says
    std::string cudaProblem {}; ///< why CUDA can use none of those; "" = it does not say
    std::string torchVersion;
    /// Versions as "13.0" or "580.65.06"; "" without CUDA or where nobody says.
    std::string cudaVersion; ///< of the runtime that is loaded
    std::string torchCudaVersion {}; ///< that Torch was built with
    std::string cudaDriverVersion {}; ///< the newest CUDA that the driver runs
    std::string driverVersion {}; ///< of the NVIDIA driver itself
    std::string ncclVersion {}; ///< of the library that is loaded
    std::string ncclBuiltVersion {}; ///< that Torch was built with
};

std::string machineToJson(const Machine& machine);
/// Reads what `earwright devices --json` prints.
Result<Machine> machineFromJson(const std::string& json);

} // namespace earwright::check
