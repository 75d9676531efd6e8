#pragma once

#include <c10/util/intrusive_ptr.h>
#include <chrono>
#include <cstdint>
#include <string>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace earwright::cuda {

/// Of a GPU that CUDA may use.
struct Properties {
    std::string name {}; ///< "NVIDIA H200"
    std::string uuid {}; ///< as nvidia-smi names it: "GPU-…"
    int capabilityMajor = 0;
    int capabilityMinor = 0;
    int64_t memoryBytes = 0;
};

/// Each "" where it is not known.
struct Versions {
    std::string runtime {}; ///< "13.0"
    std::string driver {}; ///< the newest CUDA that the driver knows
    std::string torch {}; ///< that LibTorch was compiled with
    std::string nccl {}; ///< that this process has loaded: "2.28.9"
    std::string builtNccl {}; ///< that LibTorch was compiled with
};

/// What only LibTorch's libraries of CUDA can do. They lie in earwright_cuda.so, which cudaPart()
/// loads: they take 350 MB of a process that has no use for them.
class CudaPart {
public:
    CudaPart() = default;
    CudaPart(const CudaPart&) = delete;
    CudaPart& operator=(const CudaPart&) = delete;
    virtual ~CudaPart() = default;

    /// GPUs that CUDA can use, in its order; CUDA_VISIBLE_DEVICES is honoured.
    virtual int deviceCount() const = 0;
    /// CUDA's words, where deviceCount() is 0 for another reason than that there is no GPU; else
    /// "".
    virtual std::string countFailure() const = 0;
    virtual Properties properties(int index) const = 0; ///< takes a context on it
    virtual Versions versions() const = 0;
    virtual void setDevice(int index) const = 0; ///< of the calling thread
    /// While `refused`, whatever makes the host wait for a GPU throws c10::Error.
    virtual void refuseSynchronising(bool refused) const = 0;
    /// NCCL for the thread's device. Throws c10::Error.
    virtual c10::intrusive_ptr<c10d::Backend> makeNccl(const c10::intrusive_ptr<c10d::Store>& store,
        int rank, int size, std::chrono::milliseconds timeout) const = 0;
};

/// The one function of earwright_cuda.so.
using GiveCudaPart = const CudaPart* (*)();
constexpr const char* kGiveCudaPart = "earwright_cuda_part";

} // namespace earwright::cuda
