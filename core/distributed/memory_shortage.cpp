#include "core/distributed/memory_shortage.h"

#include <algorithm>
#include <array>

namespace earwright::distributed {

namespace {

constexpr int32_t kMemoryAllocation = 2; ///< cudaErrorMemoryAllocation

/// What LibTorch 2.11 says where it has no type for it.
constexpr std::array kOfLibraries {
    "CUBLAS_STATUS_ALLOC_FAILED",
    "CUDNN_STATUS_ALLOC_FAILED", // until cuDNN 8
    "CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED", // since cuDNN 9
    // A convolution drops the allocator's error of each engine that it tries, and says only this.
    // A broken cuDNN says it too: then one utterance does not fit either, and these words are told.
    "unable to find an engine to execute this computation",
    "CUFFT_ALLOC_FAILED",
    "CUSOLVER_STATUS_ALLOC_FAILED",
    "CUDA error: out of memory",
    "CUDA driver error: out of memory",
};

/// Its last warning is what LibTorch is given.
constexpr std::array kOfNccl {
    "'out of memory'",
    "Failed to CUDA calloc",
    "Failed to CUDA malloc",
};

/// The CPU's, without a type too.
constexpr const char* kOfCpu = "DefaultCPUAllocator: can't allocate memory";

template <class Signs>
bool hasOneOf(const Signs& signs, const std::string& text)
{
    return std::any_of(signs.begin(), signs.end(),
        [&](const char* sign) { return text.find(sign) != std::string::npos; });
}

bool isOfLibrary(const c10::Error& error, const std::string& text)
{
    const auto* ofDevice = dynamic_cast<const c10::AcceleratorError*>(&error);
    return ofDevice ? ofDevice->get_error_code() == kMemoryAllocation
                    : hasOneOf(kOfLibraries, text);
}

/// Below the first line stands advice to programmers.
std::string firstLine(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

std::string asOneLine(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

} // namespace

std::optional<MemoryShortage> memoryShortage(const c10::Error& error)
{
    using Of = MemoryShortage::Of;
    const std::string text = error.what_without_backtrace();
    if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr)
        return MemoryShortage { Of::Allocator, text };
    if (dynamic_cast<const c10::DistError*>(&error) != nullptr) {
        if (hasOneOf(kOfNccl, text))
            return MemoryShortage { Of::Collective, asOneLine(text) };
        return {};
    }
    if (text.find(kOfCpu) != std::string::npos)
        return MemoryShortage { Of::Allocator, firstLine(text) };
    if (isOfLibrary(error, text))
        return MemoryShortage { Of::Library, firstLine(text) };
    return {};
}

bool isOfDevice(const c10::Error& error)
{
    const auto* ofDevice = dynamic_cast<const c10::AcceleratorError*>(&error);
    return ofDevice && ofDevice->get_error_code() != kMemoryAllocation;
}

} // namespace earwright::distributed
