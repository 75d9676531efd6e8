#pragma once

#include <cstdint>
#include <string>

namespace earwright::engine {

/// What the NVIDIA driver's own library says of GPUs; where it is not there or does not say:
/// nothing. CUDA's own answers would take a context on each GPU, for as long as this process lives.
/// Names and codes: NVML API reference. One thread.
class Nvml final {
public:
    explicit Nvml(const char* library = "libnvidia-ml.so.1");
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    std::string driverVersion() const; ///< "580.65.06", "" = not said
    /// GPUs that the driver knows, those that CUDA cannot use included; 0 = none, or not said.
    int64_t count() const;

    // Of a GPU by its UUID, "GPU-…", which names an instance of one (MIG) too.
    int64_t freeMemory(const std::string& uuid) const; ///< bytes; 0 = not said
    int64_t usedMemory(const std::string& uuid) const; ///< bytes, by all programs; -1 = not said
    double power(const std::string& uuid) const; ///< watts; -1 = not said
    double temperature(const std::string& uuid) const; ///< °C of the chip; NaN = not said
    double utilization(const std::string& uuid) const; ///< percent; -1 = not said
    std::string computeMode(const std::string& uuid) const; ///< "default", …; "" = not said
    int64_t processes(const std::string& uuid) const; ///< that compute on it; -1 = not said
    /// It does not answer any more: "fallen off the bus", in the driver's words.
    bool isLost(const std::string& uuid) const;

private:
    struct Memory;
    bool readMemory(const std::string& uuid, Memory& memory) const;
    int find(const std::string& uuid, void** device) const;
    template <class... Arguments>
    int call(const char* function, Arguments... arguments) const;

    void* m_library;
    bool m_isReady;
};

} // namespace earwright::engine
