#include "core/engine/machine_probe.h"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAFunctions.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <thread>
#include <torch/version.h>
#include <unistd.h>

namespace kymo::engine {

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

/// Utilisation of a GPU by NVML, percent; -1 where the driver's library is not there or does not
/// say.
class Nvml final {
public:
    Nvml()
        : m_library(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL))
    {
        if (m_library && symbol<int()>("nvmlInit_v2"))
            m_ready = symbol<int()>("nvmlInit_v2")() == 0;
    }

    double utilization(const std::string& uuid) const
    {
        struct Rates {
            unsigned gpu;
            unsigned memory;
        } rates { 0, 0 };
        void* device = nullptr;
        const auto byUuid = symbol<int(const char*, void**)>("nvmlDeviceGetHandleByUUID");
        const auto ratesOf = symbol<int(void*, Rates*)>("nvmlDeviceGetUtilizationRates");
        if (!m_ready || !byUuid || !ratesOf || byUuid(uuid.c_str(), &device) != 0
            || ratesOf(device, &rates) != 0)
            return -1;
        return rates.gpu;
    }

private:
    template <class Function>
    Function* symbol(const char* name) const
    {
        return m_library ? reinterpret_cast<Function*>(dlsym(m_library, name)) : nullptr;
    }

    void* m_library;
    bool m_ready = false;
};

check::Gpu probeGpu(c10::DeviceIndex index, const Nvml& nvml)
{
    const cudaDeviceProp* properties = at::cuda::getDeviceProperties(index);
    check::Gpu gpu { .name = properties->name,
        .uuid = uuidText(properties->uuid),
        .capabilityMajor = properties->major,
        .capabilityMinor = properties->minor,
        .totalMemoryBytes = static_cast<int64_t>(properties->totalGlobalMem) };
    size_t free = 0;
    size_t total = 0;
    c10::cuda::set_device(index);
    if (cudaMemGetInfo(&free, &total) == cudaSuccess)
        gpu.freeMemoryBytes = static_cast<int64_t>(free);
    gpu.utilization = nvml.utilization(gpu.uuid);
    return gpu;
}

} // namespace

check::Machine probeMachine()
{
    check::Machine machine;
    machine.cpuCores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    machine.memoryBytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
    machine.torchVersion = TORCH_VERSION;
    const c10::DeviceIndex count = c10::cuda::device_count();
    if (count == 0)
        return machine;
    machine.cudaVersion
        = std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
    const Nvml nvml;
    for (c10::DeviceIndex index = 0; index < count; ++index)
        machine.gpus.push_back(probeGpu(index, nvml));
    return machine;
}

} // namespace kymo::engine
