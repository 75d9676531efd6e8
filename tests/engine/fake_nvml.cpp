// NVML's functions as a machine with three GPUs would answer them: GPU-well, GPU-lost (which fell
// off the bus) and MIG-part, an instance. Loaded by tst_nvml in the place of the driver's library.
#include <cstring>

namespace {

constexpr int kSuccess = 0;
constexpr int kNotFound = 6;
constexpr int kInsufficientSize = 7;
constexpr int kGpuIsLost = 15;

int g_well = 0;
int g_lostLater = 0;

} // namespace

extern "C" {

int nvmlInit_v2()
{
    return kSuccess;
}

int nvmlShutdown()
{
    return kSuccess;
}

int nvmlSystemGetDriverVersion(char* version, unsigned length)
{
    std::strncpy(version, "580.65.06", length);
    return kSuccess;
}

int nvmlDeviceGetCount_v2(unsigned* count)
{
    *count = 3;
    return kSuccess;
}

int nvmlDeviceGetHandleByUUID(const char* uuid, void** device)
{
    if (std::strcmp(uuid, "GPU-lost") == 0)
        return kGpuIsLost;
    if (std::strcmp(uuid, "GPU-lost-later") == 0) {
        *device = &g_lostLater;
        return kSuccess;
    }
    if (std::strcmp(uuid, "GPU-well") != 0 && std::strcmp(uuid, "MIG-part") != 0)
        return kNotFound;
    *device = &g_well;
    return kSuccess;
}

int nvmlDeviceGetMemoryInfo(void* /*device*/, unsigned long long* memory)
{
    memory[0] = 100;
    memory[1] = 70;
    memory[2] = 30;
    return kSuccess;
}

int nvmlDeviceGetUtilizationRates(void* /*device*/, unsigned* rates)
{
    rates[0] = 42;
    rates[1] = 7;
    return kSuccess;
}

int nvmlDeviceGetPowerUsage(void* /*device*/, unsigned* milliwatts)
{
    *milliwatts = 251500;
    return kSuccess;
}

int nvmlDeviceGetTemperature(void* /*device*/, int sensor, unsigned* celsius)
{
    *celsius = 61;
    return sensor == 0 ? kSuccess : kNotFound;
}

int nvmlDeviceGetComputeMode(void* device, unsigned* mode)
{
    *mode = 3;
    return device == &g_lostLater ? kGpuIsLost : kSuccess;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void* /*device*/, unsigned* count, void* /*list*/)
{
    *count = 2;
    return kInsufficientSize;
}
}
