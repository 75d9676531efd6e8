#include "core/base/number.h"
#include "core/base/text.h"
#include "core/check/check.h"
#include "core/check/driver.h"

#include <algorithm>
#include <optional>

namespace earwright::check {

namespace {

constexpr int kMaxCpuRanks = 256;

std::optional<int> readNumber(std::string_view text)
{
    const auto value = parseNumber<int>(text);
    return value && *value >= 0 ? value : std::nullopt;
}

Error refused(const std::string& text, const std::string& why)
{
    return Error { "device '" + text + "' " + why
        + "; accepted are cpu, cpu:N (N ranks), cuda, cuda:N, cuda:N,M and auto" };
}

std::vector<std::string> allGpus(int gpuCount)
{
    std::vector<std::string> devices;
    for (int gpu = 0; gpu < gpuCount; ++gpu)
        devices.push_back("cuda:" + std::to_string(gpu));
    return devices;
}

Result<std::vector<std::string>> parseCpu(const std::string& text, std::string_view ranks)
{
    const auto count = readNumber(ranks);
    if (!count || *count < 1)
        return refused(text, "names no number of ranks");
    if (*count > kMaxCpuRanks)
        return refused(text, "asks for more than " + std::to_string(kMaxCpuRanks) + " ranks");
    return std::vector<std::string>(static_cast<size_t>(*count), "cpu");
}

std::string missingGpu(int gpu, int gpuCount)
{
    return "names GPU " + std::to_string(gpu) + ", but this machine has " + std::to_string(gpuCount)
        + (gpuCount == 1 ? " (number 0)" : " (numbers 0 to " + std::to_string(gpuCount - 1) + ")");
}

Result<std::vector<std::string>> parseCuda(
    const std::string& text, std::string_view numbers, int gpuCount)
{
    std::vector<std::string> devices;
    for (const std::string& part : split(numbers, ',')) {
        std::string_view word = trim(part);
        if (word.starts_with("cuda:"))
            word.remove_prefix(5);
        const auto gpu = readNumber(word);
        if (!gpu)
            return refused(text, "has '" + std::string(word) + "' where a GPU number belongs");
        if (*gpu >= gpuCount)
            return refused(text, missingGpu(*gpu, gpuCount));
        const std::string device = "cuda:" + std::to_string(*gpu);
        if (std::find(devices.begin(), devices.end(), device) != devices.end())
            return refused(text, "names GPU " + std::to_string(*gpu) + " twice");
        devices.push_back(device);
    }
    return devices;
}

/// Why CUDA can use no GPU.
std::string noGpu(const Machine& machine)
{
    const std::string problem = driverProblem(machine);
    if (!problem.empty())
        return "needs a CUDA GPU, and " + problem;
    if (machine.driverGpus == 0)
        return "needs a CUDA GPU, and this machine has none";
    return "needs a CUDA GPU, and CUDA can use none of the " + std::to_string(machine.driverGpus)
        + " that the driver knows: "
        + (machine.cudaProblem.empty() ? "see CUDA_VISIBLE_DEVICES and nvidia-smi"
                                       : machine.cudaProblem);
}

} // namespace

Result<std::vector<std::string>> parseDevices(const std::string& text, const Machine& machine)
{
    const auto gpuCount = static_cast<int>(machine.gpus.size());
    const std::string word = toLower(trim(text));
    if (word == "auto")
        return gpuCount > 0 ? allGpus(gpuCount) : std::vector<std::string> { "cpu" };
    if (word == "cpu")
        return std::vector<std::string> { "cpu" };
    if (word.starts_with("cpu:"))
        return parseCpu(text, std::string_view(word).substr(4));
    if (word != "cuda" && !word.starts_with("cuda:"))
        return refused(text, "is not one that Earwright can use");
    if (gpuCount == 0)
        return refused(text, noGpu(machine));
    if (word == "cuda")
        return std::vector<std::string> { "cuda:0" };
    return parseCuda(text, std::string_view(word).substr(5), gpuCount);
}

} // namespace earwright::check
