#include "core/cuda/cuda_library.h"

#include <dlfcn.h>

namespace earwright::cuda {

namespace fs = std::filesystem;

namespace {

struct Loaded {
    const CudaPart* part = nullptr;
    std::string failure {};
};

/// It stays open: LibTorch loads it too.
bool hasDriver()
{
    return dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr;
}

const Loaded& loaded()
{
    static const Loaded once = [] {
        if (!hasDriver())
            return Loaded {};
        const Result<const CudaPart*> part = loadCudaPart(cudaLibrary());
        return part ? Loaded { *part } : Loaded { nullptr, part.error().message };
    }();
    return once;
}

} // namespace

fs::path cudaLibrary()
{
    std::error_code problem;
    return fs::read_symlink("/proc/self/exe", problem).parent_path() / "earwright_cuda.so";
}

Result<const CudaPart*> loadCudaPart(const fs::path& library)
{
    std::error_code problem;
    if (!fs::exists(library, problem))
        return Error { "this build has no part for GPUs: there is no '" + library.string()
            + "'; build with a LibTorch for CUDA" };
    // Global, as LibTorch's own libraries find each other's symbols.
    void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!opened)
        return Error { std::string("the part for GPUs cannot be loaded: ") + dlerror() };
    const auto give = reinterpret_cast<GiveCudaPart>(dlsym(opened, kGiveCudaPart));
    if (!give)
        return Error { "'" + library.string() + "' is of another version of Earwright" };
    return give();
}

const CudaPart* cudaPart()
{
    return loaded().part;
}

const std::string& cudaPartFailure()
{
    return loaded().failure;
}

} // namespace earwright::cuda
