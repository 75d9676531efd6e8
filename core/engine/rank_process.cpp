#include "core/engine/rank_process.h"

#include "core/base/descriptor.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace earwright::engine {

namespace {

std::vector<std::string> mergedEnvironment(const std::map<std::string, std::string>& added)
{
    std::vector<std::string> all;
    for (char** entry = environ; *entry; ++entry) {
        const std::string text = *entry;
        if (!added.contains(text.substr(0, text.find('='))))
            all.push_back(text);
    }
    for (const auto& [name, value] : added)
        all.push_back(name + "=" + value);
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

} // namespace

Result<RankProcess> RankProcess::start(const std::vector<std::string>& command,
    const std::map<std::string, std::string>& environment, const std::filesystem::path& logFile,
    pid_t group, const PipeEnds& pipes)
{
    const Descriptor log(::open(logFile.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!log)
        return Error { "cannot open '" + logFile.string() + "': " + systemError() };
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, log.fd(), STDERR_FILENO); // first: it may be 0 or 1
    if (pipes.input >= 0)
        posix_spawn_file_actions_adddup2(&files, pipes.input, STDIN_FILENO);
    else
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(
        &files, pipes.output >= 0 ? pipes.output : STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // Not the terminal's process group: Ctrl-C reaches the supervisor alone.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, group);

    std::vector<std::string> words = command;
    std::vector<std::string> variables = mergedEnvironment(environment);
    pid_t pid = 0;
    const int problem = posix_spawn(&pid, command.front().c_str(), &files, &attributes,
        pointers(words).data(), pointers(variables).data());
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (problem != 0)
        return Error { "cannot start " + command.front() + ": " + std::strerror(problem) };
    return RankProcess(pid);
}

std::optional<ExitStatus> RankProcess::poll()
{
    int status = 0;
    if (m_status || waitpid(m_pid, &status, WNOHANG) != m_pid)
        return m_status;
    m_status = WIFSIGNALED(status) ? ExitStatus { -1, WTERMSIG(status) }
                                   : ExitStatus { WEXITSTATUS(status), 0 };
    return m_status;
}

void RankProcess::signal(int number) const
{
    if (!m_status)
        kill(m_pid, number);
}

std::string describe(const ExitStatus& status)
{
    if (status.signal == SIGKILL)
        return "was killed by SIGKILL (by hand, or by the system for lack of memory)";
    if (status.signal != 0)
        return std::string("was ended by signal ") + std::to_string(status.signal) + " ("
            + strsignal(status.signal) + ")";
    return "left with exit code " + std::to_string(status.code);
}

} // namespace earwright::engine
