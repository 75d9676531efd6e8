#include "core/check/driver.h"
#include "core/check/rules/rules.h"

namespace earwright::check::rules {

using recipe::Severity;

namespace {

int majorOf(const std::string& text)
{
    return versionOf(text).front();
}

/// The oldest GPUs for which a toolkit still makes code: CUDA 13 dropped Maxwell, Pascal and Volta.
struct LeastCapability {
    int cudaMajor;
    int major;
    int minor;
};
constexpr LeastCapability kLeastCapabilities[] = { { 11, 3, 5 }, { 12, 5, 0 }, { 13, 7, 5 } };

void driver(const Machine& machine, const recipe::Span& place, Diagnostics& found)
{
    const std::string problem = driverProblem(machine);
    if (!problem.empty())
        report(found, Severity::Error, "version-driver", problem, place);
}

void cuda(const Machine& machine, const recipe::Span& place, Diagnostics& found)
{
    if (machine.cudaVersion.empty() || machine.torchCudaVersion.empty()
        || majorOf(machine.cudaVersion) == majorOf(machine.torchCudaVersion))
        return;
    report(found, Severity::Error, "version-cuda",
        "Torch " + machine.torchVersion + " was built with CUDA " + machine.torchCudaVersion
            + ", but CUDA " + machine.cudaVersion
            + " is loaded; take the other one out of LD_LIBRARY_PATH",
        place);
}

/// An older libnccl that comes first in the search lacks functions that Torch calls.
void nccl(const Context& context, const recipe::Span& place, Diagnostics& found)
{
    const Machine& machine = context.machine;
    if (context.devices.size() < 2 || machine.ncclVersion.empty()
        || machine.ncclBuiltVersion.empty()
        || versionOf(machine.ncclVersion) >= versionOf(machine.ncclBuiltVersion))
        return;
    report(found, Severity::Error, "version-nccl",
        "NCCL " + machine.ncclVersion + " is loaded, and Torch " + machine.torchVersion + " needs "
            + machine.ncclBuiltVersion
            + " or newer to train on several GPUs; take the older one out of LD_LIBRARY_PATH",
        place);
}

void capability(const Context& context, const recipe::Span& place, Diagnostics& found)
{
    for (const LeastCapability& least : kLeastCapabilities) {
        if (context.machine.torchCudaVersion.empty()
            || majorOf(context.machine.torchCudaVersion) != least.cudaMajor)
            continue;
        for (const std::string& device : context.devices) {
            const Gpu& gpu = context.machine.gpus[std::stoul(device.substr(5))];
            if (std::pair(gpu.capabilityMajor, gpu.capabilityMinor)
                < std::pair(least.major, least.minor))
                report(found, Severity::Error, "device-too-old",
                    device + " (" + gpu.name + ") has compute capability "
                        + std::to_string(gpu.capabilityMajor) + "."
                        + std::to_string(gpu.capabilityMinor) + ", and Torch with CUDA "
                        + context.machine.torchCudaVersion + " needs " + std::to_string(least.major)
                        + "." + std::to_string(least.minor)
                        + "; train on another GPU or on the CPU",
                    place);
        }
    }
}

} // namespace

void versions(const Context& context, Diagnostics& found)
{
    if (context.devices.empty() || !context.devices.front().starts_with("cuda"))
        return;
    const recipe::NodePtr device = recipe::find(context.root, "device");
    const recipe::Span place
        = device ? device->span : recipe::Span { context.request.fileName, {}, {} };
    driver(context.machine, place, found);
    cuda(context.machine, place, found);
    nccl(context, place, found);
    capability(context, place, found);
}

} // namespace earwright::check::rules
