#include "core/engine/nvml.h"

#include <algorithm>
#include <dlfcn.h>
#include <iterator>
#include <limits>

namespace earwright::engine {

namespace {

// nvmlReturn_t
constexpr int kSuccess = 0;
constexpr int kFunctionNotFound = 13;
constexpr int kInsufficientSize = 7;
constexpr int kGpuIsLost = 15;

constexpr int kChip = 0; // nvmlTemperatureSensors_t

constexpr const char* kComputeModes[]
    = { "default", "exclusive_thread", "prohibited", "exclusive_process" }; // nvmlComputeMode_t

} // namespace

template <class... Arguments>
int Nvml::call(const char* function, Arguments... arguments) const
{
    void* const found = m_library ? dlsym(m_library, function) : nullptr;
    return found ? reinterpret_cast<int (*)(Arguments...)>(found)(arguments...) : kFunctionNotFound;
}

Nvml::Nvml(const char* library)
    : m_library(dlopen(library, RTLD_NOW | RTLD_LOCAL))
    , m_isReady(call("nvmlInit_v2") == kSuccess)
{
}

Nvml::~Nvml()
{
    if (m_isReady)
        call("nvmlShutdown");
    if (m_library)
        dlclose(m_library);
}

std::string Nvml::driverVersion() const
{
    constexpr unsigned kLength = 80; // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
    char version[kLength] = "";
    const bool isSaid
        = m_isReady && call("nvmlSystemGetDriverVersion", version, kLength) == kSuccess;
    return isSaid ? version : "";
}

int64_t Nvml::count() const
{
    unsigned count = 0;
    return m_isReady && call("nvmlDeviceGetCount_v2", &count) == kSuccess ? count : 0;
}

int Nvml::find(const std::string& uuid, void** device) const
{
    int answer = kFunctionNotFound;
    for (const char* kind : { "GPU-", "MIG-" }) {
        const std::string name = kind + uuid.substr(std::min(uuid.find('-') + 1, uuid.size()));
        answer = m_isReady ? call("nvmlDeviceGetHandleByUUID", name.c_str(), device) : answer;
        if (answer == kSuccess || answer == kGpuIsLost)
            return answer;
    }
    return answer;
}

struct Nvml::Memory { // nvmlMemory_t, bytes
    unsigned long long total = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
};

bool Nvml::readMemory(const std::string& uuid, Memory& memory) const
{
    void* device = nullptr;
    return find(uuid, &device) == kSuccess
        && call("nvmlDeviceGetMemoryInfo", device, &memory) == kSuccess;
}

int64_t Nvml::freeMemory(const std::string& uuid) const
{
    Memory memory;
    return readMemory(uuid, memory) ? static_cast<int64_t>(memory.free) : 0;
}

int64_t Nvml::usedMemory(const std::string& uuid) const
{
    Memory memory;
    return readMemory(uuid, memory) ? static_cast<int64_t>(memory.used) : -1;
}

double Nvml::power(const std::string& uuid) const
{
    unsigned milliwatts = 0;
    void* device = nullptr;
    const bool isSaid = find(uuid, &device) == kSuccess
        && call("nvmlDeviceGetPowerUsage", device, &milliwatts) == kSuccess;
    return isSaid ? milliwatts / 1000.0 : -1;
}

double Nvml::temperature(const std::string& uuid) const
{
    unsigned celsius = 0;
    void* device = nullptr;
    const bool isSaid = find(uuid, &device) == kSuccess
        && call("nvmlDeviceGetTemperature", device, kChip, &celsius) == kSuccess;
    return isSaid ? celsius : std::numeric_limits<double>::quiet_NaN();
}

double Nvml::utilization(const std::string& uuid) const
{
    struct Rates {
        unsigned gpu;
        unsigned memory;
    } rates { 0, 0 };
    void* device = nullptr;
    const bool isSaid = find(uuid, &device) == kSuccess
        && call("nvmlDeviceGetUtilizationRates", device, &rates) == kSuccess;
    return isSaid ? static_cast<double>(rates.gpu) : -1;
}

std::string Nvml::computeMode(const std::string& uuid) const
{
    unsigned mode = 0;
    void* device = nullptr;
    const bool isSaid = find(uuid, &device) == kSuccess
        && call("nvmlDeviceGetComputeMode", device, &mode) == kSuccess;
    return isSaid && mode < std::size(kComputeModes) ? kComputeModes[mode] : "";
}

int64_t Nvml::processes(const std::string& uuid) const
{
    unsigned count = 0;
    void* device = nullptr;
    if (find(uuid, &device) != kSuccess)
        return -1;
    void* const noList = nullptr; // the count alone
    const int answer = call("nvmlDeviceGetComputeRunningProcesses_v3", device, &count, noList);
    return answer == kSuccess || answer == kInsufficientSize ? int64_t { count } : -1;
}

bool Nvml::isLost(const std::string& uuid) const
{
    unsigned mode = 0;
    void* device = nullptr;
    const int found = find(uuid, &device);
    return found == kGpuIsLost
        || (found == kSuccess && call("nvmlDeviceGetComputeMode", device, &mode) == kGpuIsLost);
}

} // namespace earwright::engine
