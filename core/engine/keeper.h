#pragma once

#include "core/base/descriptor.h"
#include "core/base/result.h"
#include "core/run/run_folder.h"

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <thread>

namespace earwright::engine {

/// A process that outlives its supervisor by some seconds: `earwright keep RUN_DIR`. It serves the
/// ranks' store, so that they can still talk to each other when the supervisor was killed; then it
/// asks them to stop with a checkpoint, and after 5 s it kills the process group that it shares
/// with them. One that somebody stops (SIGSTOP) is told to go on: everybody asks its store.
class Keeper final {
public:
    static Result<Keeper> start(const std::filesystem::path& program, const run::RunFolder& folder);
    Keeper(Keeper&& other) noexcept;
    ~Keeper(); ///< ends the process at once: its store is not needed any more

    const std::string& socketPath() const { return m_socket; } ///< of the store
    pid_t group() const { return m_pid; } ///< the ranks join this process group
    /// The start of the ranks (0, then one more a restart) that is asked to stop in the end.
    void watchOver(int restart) const;

private:
    Keeper(pid_t pid, Descriptor words);
    pid_t m_pid;
    std::string m_socket;
    Descriptor m_words; ///< to its standard input, which ends when this process does
    std::jthread m_waker;
};

/// The keeper's main. Returns an ExitCode.
int keepRun(const run::RunFolder& folder);

} // namespace earwright::engine
