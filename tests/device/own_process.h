#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <string>

namespace earwright::tests {

/// How a piece of work ended.
struct WorkEnd {
    int signal = 0; ///< that ended it: SIGSEGV where the host touched closed memory
    std::string error; ///< that it threw
    nlohmann::json result;
};

/// Runs `work` in a forked process and waits for it. The caller must not have used LibTorch's
/// threads, which a fork leaves behind.
WorkEnd inOwnProcess(const std::function<nlohmann::json()>& work);

} // namespace earwright::tests
