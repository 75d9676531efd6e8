#include "core/engine/device_failure.h"

#include "core/distributed/nccl_failure.h"

#include <string_view>

namespace earwright::engine {

namespace {

/// Before it stands what happened, below that line advice to programmers.
constexpr std::string_view kOfCuda = "CUDA error: ";
constexpr std::string_view kNoMemory = "CUDA error: out of memory";

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
    { "unsupported display driver / cuda driver combination",
        "the NVIDIA driver's parts are of several versions, as after an update; restart the "
        "machine" },
    { "forward compatibility was attempted",
        "CUDA's compatibility package does not work with this GPU; take it out of LD_LIBRARY_PATH, "
        "or install a newer driver" },
    { "system not yet initialized",
        "the links between the GPUs are not set up; start nvidia-fabricmanager" },
    { "uncorrectable NVLink error", "a link between GPUs is damaged; see nvidia-smi nvlink" },
};

/// CUDA's own words are one line.
std::string inOneLine(const std::string& cause)
{
    const size_t at = cause.find(kOfCuda);
    return at == std::string::npos ? cause : cause.substr(0, cause.find('\n', at));
}

} // namespace

std::string deviceFailure(const std::string& told, bool isLost)
{
    const std::string cause = inOneLine(distributed::ncclFailure(told));
    if (isLost)
        return "the GPU has fallen off the bus; restart the machine (" + cause + ")";
    if (cause.starts_with(kNoMemory)) // else it is said of what
        return "the GPU's memory is taken, by this run or by other processes, which nvidia-smi "
               "names ("
            + cause + ")";
    for (const Meaning& meaning : kMeanings)
        if (cause.find(meaning.sign) != std::string::npos)
            return std::string(meaning.words) + " (" + cause + ")";
    return cause;
}

} // namespace earwright::engine
