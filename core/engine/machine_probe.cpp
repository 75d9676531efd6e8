#include "core/engine/machine_probe.h"

#include "core/engine/device_failure.h"
#include "core/engine/nvml.h"

#include <algorithm>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/cuda/CUDAFunctions.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <thread>
#include <torch/csrc/cuda/nccl.h>
#include <torch/cuda.h>
#include <torch/version.h>
#include <unistd.h>

namespace earwright::engine {

namespace {

std::string uuidText(const cudaUUID_t& uuid)
{
    static const char* const kDigits = "0123456789abcdef";
    std::string text = "GPU-";
    for (size_t i = 0; i < sizeof(uuid.bytes); ++i) {
        const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
        if (i == 3 || i == 5 || i == 7 || i == 9)
            text += '-';
    }
    return text;
}

check::Gpu probeGpu(c10::DeviceIndex index, const Nvml& nvml)
{
    const cudaDeviceProp* properties = at::cuda::getDeviceProperties(index);
    const std::string uuid = uuidText(properties->uuid);
    return { .name = properties->name,
        .uuid = uuid,
        .capabilityMajor = properties->major,
        .capabilityMinor = properties->minor,
        .totalMemoryBytes = static_cast<int64_t>(properties->totalGlobalMem),
        .freeMemoryBytes = nvml.freeMemory(uuid),
        .utilization = nvml.utilization(uuid),
        .computeMode = nvml.computeMode(uuid),
        .processes = nvml.processes(uuid),
        .isLost = nvml.isLost(uuid) };
}

/// 13020 -> "13.2", CUDA's way of writing versions; "" for 0.
std::string cudaVersionText(int64_t version)
{
    return version == 0
        ? ""
        : std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// NCCL's own number of the library that this process loaded (22809 -> "2.28.9"), "" where it
/// loaded none. By name, because Torch links it and Earwright does not.
std::string loadedNccl()
{
    int version = 0;
    const auto read = reinterpret_cast<int (*)(int*)>(dlsym(RTLD_DEFAULT, "ncclGetVersion"));
    if (!read || read(&version) != 0)
        return "";
    return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "."
        + std::to_string(version % 100);
}

/// The one Torch was compiled with: 32 bits of major, 16 of minor, 16 of patch.
std::string torchNccl()
{
    const uint64_t version = torch::cuda::nccl::version();
    return std::to_string(version >> 32) + "." + std::to_string(version >> 16 & 0xffff) + "."
        + std::to_string(version & 0xffff);
}

void probeVersions(check::Machine& machine, const Nvml& nvml)
{
    int runtime = 0;
    int driver = 0;
    if (cudaRuntimeGetVersion(&runtime) != cudaSuccess)
        runtime = CUDART_VERSION;
    if (cudaDriverGetVersion(&driver) != cudaSuccess)
        driver = 0;
    machine.cudaVersion = cudaVersionText(runtime);
    machine.cudaDriverVersion = cudaVersionText(driver);
    machine.torchCudaVersion = cudaVersionText(at::detail::getCUDAHooks().versionCUDART());
    machine.driverVersion = nvml.driverVersion();
    machine.ncclVersion = loadedNccl();
    machine.ncclBuiltVersion = torchNccl();
}

/// LibTorch counts none where CUDA does not answer, and says nothing.
std::string whyNoneIsUsable()
{
    int count = 0;
    const cudaError_t answer = cudaGetDeviceCount(&count);
    (void)cudaGetLastError(); // not for who asks next
    const bool isSaid = answer != cudaSuccess && answer != cudaErrorNoDevice;
    return isSaid ? deviceFailure(std::string("CUDA error: ") + cudaGetErrorString(answer), false)
                  : "";
}

} // namespace

std::string gpuUuid(int index)
{
    return uuidText(at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(index))->uuid);
}

check::Machine probeMachine()
{
    check::Machine machine;
    machine.cpuCores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    machine.memoryBytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
    machine.torchVersion = TORCH_VERSION;
    const c10::DeviceIndex count = c10::cuda::device_count();
    const Nvml nvml;
    machine.driverGpus = nvml.count();
    if (count > 0 || machine.driverGpus > 0) // a driver that is too old hides all
        probeVersions(machine, nvml);
    if (count == 0 && machine.driverGpus > 0)
        machine.cudaProblem = whyNoneIsUsable();
    for (c10::DeviceIndex index = 0; index < count; ++index)
        machine.gpus.push_back(probeGpu(index, nvml));
    return machine;
}

} // namespace earwright::engine
