#pragma once

#include "core/distributed/hang.h"
#include "core/engine/rank_process.h"
#include "core/run/run_folder.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace earwright::engine {

/// How the ranks of one start are started.
struct RankGroupOptions {
    std::filesystem::path program; ///< started as `PROGRAM rank RUN_DIR`
    std::string storeSocket; ///< of the store where they meet
    pid_t processGroup = 0; ///< that they join
    std::vector<size_t> devices; ///< one rank each: places in the plan's list of devices
    int restart = 0;
    double heartbeatTimeoutSeconds = 30;
};

/// The rank processes of one start of a run on this host. Finds the first failure, tells it to all
/// and ends whoever has not left 4 s later. A process whose work is done but which does not end
/// within the timeout (a driver that hangs as it is unloaded) is killed, and counts as ended. One
/// thread; the destructor kills what is left.
class RankGroup final {
public:
    static Result<std::unique_ptr<RankGroup>> start(
        const run::RunFolder& folder, const RankGroupOptions& options);
    ~RankGroup();
    RankGroup(const RankGroup&) = delete;
    RankGroup& operator=(const RankGroup&) = delete;

    /// Called a few times a second until allGone().
    void look();
    bool allGone() const;
    /// What went wrong first, once something has.
    const std::optional<distributed::Failure>& failure() const { return m_failure; }
    bool wasStopped() const; ///< some rank left as it was asked to
    /// Once each: that a process did not end.
    std::vector<std::string> takeNotices() { return std::exchange(m_notices, {}); }
    void kill();
    c10d::Store& store() const { return *m_store; }
    std::vector<pid_t> pids() const;

private:
    RankGroup(const run::RunFolder& folder, const RankGroupOptions& options);
    Status startRank(size_t rank);
    void lookAtExits();
    void endLingering(size_t rank);
    std::string causeOf(size_t rank) const;
    void fail(const distributed::Failure& failure);

    const run::RunFolder m_folder;
    const RankGroupOptions m_options;
    c10::intrusive_ptr<c10d::Store> m_store;
    distributed::HangObserver m_observer;
    std::vector<RankProcess> m_ranks;
    std::vector<std::optional<ExitStatus>> m_exits;
    std::optional<int64_t> m_memoryKills; ///< the kernel's count at the start
    std::vector<std::optional<std::chrono::steady_clock::time_point>> m_workDone; ///< was seen
    std::vector<std::string> m_notices;
    bool m_killed = false;
    std::optional<distributed::Failure> m_failure;
    std::chrono::steady_clock::time_point m_failureTime;
};

} // namespace earwright::engine
