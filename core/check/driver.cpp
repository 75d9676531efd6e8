#include "core/check/driver.h"

#include "core/base/text.h"

#include <cstdlib>

namespace earwright::check {

namespace {

/// Within a major version of CUDA a driver runs newer minor ones, from this version on (CUDA
/// Toolkit release notes, "minor version compatibility").
struct LeastDriver {
    int cudaMajor;
    const char* version;
};
constexpr LeastDriver kLeastDrivers[]
    = { { 11, "450.80.02" }, { 12, "525.60.13" }, { 13, "580.65.06" } };

} // namespace

std::vector<int> versionOf(const std::string& text)
{
    std::vector<int> version;
    for (const std::string& part : split(text, '.'))
        version.push_back(std::atoi(part.c_str()));
    return version;
}

std::string driverProblem(const Machine& machine)
{
    if (machine.cudaVersion.empty())
        return {};
    const std::string advice = "; install a newer driver";
    const int major = versionOf(machine.cudaVersion).front();
    if (!machine.cudaDriverVersion.empty()) {
        // An old driver with CUDA's forward compatibility package says what it runs then.
        if (versionOf(machine.cudaDriverVersion).front() >= major)
            return {};
        return "the NVIDIA driver runs CUDA " + machine.cudaDriverVersion + " at most, and CUDA "
            + machine.cudaVersion + " is loaded" + advice;
    }
    for (const LeastDriver& least : kLeastDrivers)
        if (least.cudaMajor == major && !machine.driverVersion.empty()
            && versionOf(machine.driverVersion) < versionOf(least.version))
            return "CUDA " + machine.cudaVersion + " needs NVIDIA driver " + least.version
                + " or newer, and this is " + machine.driverVersion + advice;
    return {};
}

} // namespace earwright::check
