#include "tests/device/host_waits.h"

#include <cxxabi.h>
#include <execinfo.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>

namespace earwright::tests {

namespace {

std::mutex g_mutex; ///< Guards all below
DeviceLog g_log;

/// The function's name in a line of backtrace_symbols(), "program(_Zname+0x1) [0x2]"; "" if none.
std::string functionIn(const std::string& line)
{
    const size_t open = line.find("(_Z");
    const size_t plus = open == std::string::npos ? open : line.find('+', open);
    if (plus == std::string::npos)
        return {};
    int problem = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(
            line.substr(open + 1, plus - open - 1).c_str(), nullptr, nullptr, &problem),
        &std::free);
    return name ? name.get() : std::string();
}

} // namespace

void noteHostWait(const std::string& what)
{
    constexpr size_t kDepth = 64;
    std::vector<void*> stack(kDepth);
    stack.resize(static_cast<size_t>(backtrace(stack.data(), kDepth)));
    const std::lock_guard lock(g_mutex);
    g_log.waits.push_back({ what, std::move(stack) });
}

void noteDeviceOperator()
{
    const std::lock_guard lock(g_mutex);
    g_log.operators += 1;
}

DeviceLog takeDeviceLog()
{
    const std::lock_guard lock(g_mutex);
    return std::exchange(g_log, {});
}

std::string callerOf(const HostWait& wait)
{
    const std::unique_ptr<char*, decltype(&std::free)> lines(
        backtrace_symbols(wait.stack.data(), static_cast<int>(wait.stack.size())), &std::free);
    for (size_t i = 0; lines && i < wait.stack.size(); ++i) {
        const std::string name = functionIn(lines.get()[i]);
        if (name.find("earwright::") != std::string::npos
            && name.find("earwright::tests::") == std::string::npos)
            return name;
    }
    return "?";
}

} // namespace earwright::tests
