#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace earwright::engine {

/// How a process ended.
struct ExitStatus {
    int code = 0; ///< -1 where a signal ended it
    int signal = 0;
};

/// Ends of pipes that a process is given.
struct PipeEnds {
    int input = -1; ///< -1 = it reads nothing
    int output = -1; ///< -1 = its standard output goes to the log too
};

/// A child process whose output goes to a file. Not waited for by the destructor.
class RankProcess final {
public:
    /// `environment` is added to this process's own. It joins the process group `group`; 0 = one of
    /// its own. The error names the program, or the log, and the reason.
    static Result<RankProcess> start(const std::vector<std::string>& command,
        const std::map<std::string, std::string>& environment, const std::filesystem::path& logFile,
        pid_t group = 0, const PipeEnds& pipes = {});

    pid_t pid() const { return m_pid; }
    /// How it ended, once it has; never blocks.
    std::optional<ExitStatus> poll();
    void signal(int number) const;

private:
    explicit RankProcess(pid_t pid)
        : m_pid(pid)
    {
    }
    pid_t m_pid;
    std::optional<ExitStatus> m_status;
};

/// "was killed by SIGKILL (by hand, or by the system for lack of memory)", "left with exit code 3".
std::string describe(const ExitStatus& status);

} // namespace earwright::engine
