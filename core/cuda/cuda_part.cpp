// The library earwright_cuda.so: the one part that is linked with LibTorch's libraries of CUDA.

#include "core/cuda/cuda_part.h"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/cuda/CUDAFunctions.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <torch/csrc/cuda/nccl.h>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

namespace earwright::cuda {

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

class LinkedCuda final : public CudaPart {
public:
    int deviceCount() const override { return c10::cuda::device_count(); }

    std::string countFailure() const override
    {
        // LibTorch counts none where CUDA does not answer, and says nothing.
        int count = 0;
        const cudaError_t answer = cudaGetDeviceCount(&count);
        (void)cudaGetLastError(); // not for who asks next
        const bool isSaid = answer != cudaSuccess && answer != cudaErrorNoDevice;
        return isSaid ? std::string("CUDA error: ") + cudaGetErrorString(answer) : "";
    }

    Properties properties(int index) const override
    {
        const cudaDeviceProp* of
            = at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(index));
        return { .name = of->name,
            .uuid = uuidText(of->uuid),
            .capabilityMajor = of->major,
            .capabilityMinor = of->minor,
            .memoryBytes = static_cast<int64_t>(of->totalGlobalMem) };
    }

    Versions versions() const override
    {
        int runtime = 0;
        int driver = 0;
        if (cudaRuntimeGetVersion(&runtime) != cudaSuccess)
            runtime = CUDART_VERSION;
        if (cudaDriverGetVersion(&driver) != cudaSuccess)
            driver = 0;
        return { .runtime = cudaVersionText(runtime),
            .driver = cudaVersionText(driver),
            .torch = cudaVersionText(at::detail::getCUDAHooks().versionCUDART()),
            .nccl = loadedNccl(),
            .builtNccl = torchNccl() };
    }

    void setDevice(int index) const override
    {
        c10::cuda::set_device(static_cast<c10::DeviceIndex>(index));
    }

    void refuseSynchronising(bool refused) const override
    {
        c10::cuda::warning_state().set_sync_debug_mode(
            refused ? c10::cuda::SyncDebugMode::L_ERROR : c10::cuda::SyncDebugMode::L_DISABLED);
    }

    c10::intrusive_ptr<c10d::Backend> makeNccl(const c10::intrusive_ptr<c10d::Store>& store,
        int rank, int size, std::chrono::milliseconds timeout) const override
    {
        auto options = c10d::ProcessGroupNCCL::Options::create();
        options->timeout = timeout;
        return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, size, options);
    }
};

} // namespace

} // namespace earwright::cuda

extern "C" __attribute__((visibility("default"))) const earwright::cuda::CudaPart*
earwright_cuda_part()
{
    static const earwright::cuda::LinkedCuda part;
    return &part;
}
