#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace earwright::tests {

/// A place where the host would wait for a GPU.
struct HostWait {
    std::string what; ///< an operator, "copy to the host" or "blocking copy to the device"
    std::vector<void*> stack;
};

/// What the strict device noticed.
struct DeviceLog {
    std::vector<HostWait> waits;
    int64_t operators = 0; ///< begun on the device
};

/// Safe from any thread: a backward runs in threads of its own.
void noteHostWait(const std::string& what);
void noteDeviceOperator();
/// All since the last call.
DeviceLog takeDeviceLog();

/// The innermost function of earwright on the stack, or "?". Slow: names are looked up when asked
/// for. Needs a program that exports its functions (ENABLE_EXPORTS).
std::string callerOf(const HostWait& wait);

} // namespace earwright::tests
