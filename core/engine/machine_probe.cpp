#include "core/engine/machine_probe.h"

#include "core/cuda/cuda_library.h"
#include "core/engine/device_failure.h"
#include "core/engine/nvml.h"

#include <algorithm>
#include <thread>
#include <torch/version.h>
#include <unistd.h>

namespace earwright::engine {

namespace {

check::Gpu probeGpu(const cuda::Properties& of, const Nvml& nvml)
{
    return { .name = of.name,
        .uuid = of.uuid,
        .capabilityMajor = of.capabilityMajor,
        .capabilityMinor = of.capabilityMinor,
        .totalMemoryBytes = of.memoryBytes,
        .freeMemoryBytes = nvml.freeMemory(of.uuid),
        .utilization = nvml.utilization(of.uuid),
        .computeMode = nvml.computeMode(of.uuid),
        .processes = nvml.processes(of.uuid),
        .isLost = nvml.isLost(of.uuid) };
}

void takeVersions(check::Machine& machine, cuda::Versions versions)
{
    machine.cudaVersion = std::move(versions.runtime);
    machine.cudaDriverVersion = std::move(versions.driver);
    machine.torchCudaVersion = std::move(versions.torch);
    machine.ncclVersion = std::move(versions.nccl);
    machine.ncclBuiltVersion = std::move(versions.builtNccl);
}

std::string whyNoneIsUsable(const cuda::CudaPart* part)
{
    if (part) {
        const std::string failure = part->countFailure();
        return failure.empty() ? "" : deviceFailure(failure, false);
    }
    const std::string& failure = cuda::cudaPartFailure();
    return failure.empty() ? "the driver's library libcuda.so.1 is missing; in a container, "
                             "NVIDIA_DRIVER_CAPABILITIES "
                             "must name 'compute'"
                           : failure;
}

} // namespace

std::string gpuUuid(int index)
{
    const cuda::CudaPart* const part = cuda::cudaPart();
    return part ? part->properties(index).uuid : "";
}

check::Machine probeMachine()
{
    check::Machine machine;
    machine.cpuCores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    machine.memoryBytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
    machine.torchVersion = TORCH_VERSION;
    const cuda::CudaPart* const part = cuda::cudaPart();
    const int count = part ? part->deviceCount() : 0;
    const Nvml nvml;
    machine.driverGpus = nvml.count();
    if (count > 0 || machine.driverGpus > 0) { // a driver that is too old hides all
        machine.driverVersion = nvml.driverVersion();
        if (part)
            takeVersions(machine, part->versions());
    }
    if (count == 0 && machine.driverGpus > 0)
        machine.cudaProblem = whyNoneIsUsable(part);
    for (int index = 0; index < count; ++index)
        machine.gpus.push_back(probeGpu(part->properties(index), nvml));
    return machine;
}

} // namespace earwright::engine
