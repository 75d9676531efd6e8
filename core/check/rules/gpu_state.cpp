#include "core/check/rules/rules.h"
#include "core/settings/tree.h"

#include <cstdio>
#include <set>

namespace earwright::check::rules {

using recipe::Severity;

namespace {

/// A desktop's own windows take less of a GPU than this.
constexpr double kMuchMemory = 0.5;

std::string gibibytes(int64_t bytes)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", static_cast<double>(bytes) / (int64_t(1) << 30));
    return text;
}

void stateOf(
    const std::string& device, const Gpu& gpu, const recipe::Span& place, Diagnostics& found)
{
    const std::string name = device + " (" + gpu.name + ")";
    if (gpu.isLost)
        report(found, Severity::Error, "device-lost",
            name + " has fallen off the bus: nothing reaches it; restart the machine", place);
    else if (gpu.computeMode == "prohibited")
        report(found, Severity::Error, "device-in-use",
            name + " has the compute mode PROHIBITED; ask for 'nvidia-smi -c DEFAULT'", place);
    else if (gpu.computeMode.starts_with("exclusive") && gpu.processes > 0)
        // No error: a queue waits for its end, and NVIDIA's MPS is such a process.
        report(found, Severity::Warning, "device-in-use",
            "another process holds " + name
                + ", whose compute mode is exclusive; wait for its end, or take another GPU",
            place);
    else if (const int64_t taken = gpu.totalMemoryBytes - gpu.freeMemoryBytes;
             gpu.freeMemoryBytes > 0
             && static_cast<double>(taken)
                 > kMuchMemory * static_cast<double>(gpu.totalMemoryBytes))
        report(found, Severity::Warning, "device-in-use",
            "other processes hold " + gibibytes(taken) + " of " + gibibytes(gpu.totalMemoryBytes)
                + " GiB of " + name + ": nvidia-smi names them",
            place);
}

} // namespace

void gpuState(const Context& context, Diagnostics& found)
{
    const recipe::NodePtr node = recipe::find(context.root, "device");
    const recipe::Span place
        = node ? node->span : recipe::Span { context.request.fileName, {}, {} };
    for (const std::string& device : std::set(context.devices.begin(), context.devices.end()))
        if (device.starts_with("cuda:"))
            stateOf(device, context.machine.gpus[std::stoul(device.substr(5))], place, found);
}

} // namespace earwright::check::rules
