#include "core/engine/device_failure.h"

namespace earwright::engine {

namespace {

/// What cudaGetErrorString() says, and what it means.
struct Meaning {
    const char* sign;
    const char* words;
};
constexpr Meaning kMeanings[] = {
    { "no kernel image is available", "this Torch has no code for this GPU; train on another one" },
    { "busy or unavailable",
        "another process holds the GPU, whose compute mode is exclusive; wait for its end" },
    { "insufficient for CUDA runtime version",
        "the NVIDIA driver is too old for this CUDA; install a newer driver" },
    { "uncorrectable ECC error", "the GPU's memory is damaged; reset the GPU, or replace it" },
    { "uncorrectable NVLink error", "a link between GPUs is damaged; see nvidia-smi nvlink" },
};

} // namespace

std::string deviceFailure(const std::string& cause, bool isLost)
{
    if (isLost)
        return "the GPU has fallen off the bus; restart the machine (" + cause + ")";
    for (const Meaning& meaning : kMeanings)
        if (cause.find(meaning.sign) != std::string::npos)
            return std::string(meaning.words) + " (" + cause + ")";
    return cause;
}

} // namespace earwright::engine
