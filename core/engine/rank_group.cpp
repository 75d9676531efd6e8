#include "core/engine/rank_group.h"

#include "core/base/clock.h"
#include "core/distributed/first_failure.h"
#include "core/distributed/group.h"
#include "core/distributed/run_store.h"
#include "core/distributed/thread_stack.h"
#include "core/engine/out_of_memory.h"
#include "core/engine/rank_main.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <map>
#include <thread>

namespace earwright::engine {

namespace {

using distributed::Failure;

/// For the other ranks to leave after a failure: all are gone within 5 s of it.
constexpr auto kLeavingGrace = std::chrono::seconds(4);

bool isClean(const ExitStatus& exit)
{
    return exit.signal == 0 && (exit.code == kDone || exit.code == kStopped);
}

} // namespace

RankGroup::RankGroup(const run::RunFolder& folder, const RankGroupOptions& options)
    : m_folder(folder)
    , m_options(options)
    , m_store(distributed::ofAttempt(
          c10::make_intrusive<distributed::RunStore>(run::StoreAddress { options.storeSocket }),
          options.restart))
    , m_observer(m_store, std::ssize(options.devices), options.heartbeatTimeoutSeconds, false)
    , m_memoryKills(outOfMemoryKills())
{
}

RankGroup::~RankGroup()
{
    kill();
}

Result<std::unique_ptr<RankGroup>> RankGroup::start(
    const run::RunFolder& folder, const RankGroupOptions& options)
{
    std::unique_ptr<RankGroup> group(new RankGroup(folder, options));
    for (size_t rank = 0; rank < options.devices.size(); ++rank) {
        const Status started = group->startRank(rank);
        if (!started)
            return started.error();
    }
    return group;
}

Status RankGroup::startRank(size_t rank)
{
    const size_t count = m_options.devices.size();
    std::map<std::string, std::string> environment { { "RANK", std::to_string(rank) },
        { "LOCAL_RANK", std::to_string(m_options.devices[rank]) },
        { "WORLD_SIZE", std::to_string(count) }, { "LOCAL_WORLD_SIZE", std::to_string(count) },
        { "GROUP_RANK", "0" }, { "MASTER_ADDR", "127.0.0.1" },
        { "TORCHELASTIC_RESTART_COUNT", std::to_string(m_options.restart) },
        { distributed::kStoreVariable, m_options.storeSocket } };
    if (std::getenv("OMP_NUM_THREADS") == nullptr)
        environment["OMP_NUM_THREADS"]
            = std::to_string(std::max<size_t>(1, std::thread::hardware_concurrency() / count));
    // Threads that spin while they wait for each other stand still beside other programs.
    if (std::getenv("OMP_WAIT_POLICY") == nullptr)
        environment["OMP_WAIT_POLICY"] = "passive";
    Result<RankProcess> started = RankProcess::start(
        { std::filesystem::canonical(m_options.program).string(), "rank", m_folder.path.string() },
        environment, m_folder.log(static_cast<int64_t>(rank)), m_options.processGroup);
    if (!started)
        return started.error();
    m_ranks.push_back(std::move(*started));
    m_exits.emplace_back();
    m_workDone.emplace_back();
    return Done {};
}

void RankGroup::look()
{
    lookAtExits();
    if (!m_failure && !m_killed) {
        const std::optional<Failure> hang = m_observer.look();
        if (hang)
            fail(*hang);
    }
    if (m_failure && Clock::now() - m_failureTime > kLeavingGrace)
        kill();
}

void RankGroup::lookAtExits()
{
    for (size_t rank = 0; rank < m_ranks.size(); ++rank) {
        if (m_exits[rank])
            continue;
        m_exits[rank] = m_ranks[rank].poll();
        if (!m_exits[rank])
            endLingering(rank);
        if (!m_exits[rank])
            continue;
        m_observer.isGone(static_cast<int64_t>(rank));
        if (isClean(*m_exits[rank]) || m_failure || m_killed)
            continue;
        const distributed::Beat last = m_observer.beatOf(static_cast<int64_t>(rank))
                                           .value_or(distributed::Beat { .phase = "start" });
        fail({ static_cast<int64_t>(rank), run::hostName(), last.phase, last.step, causeOf(rank) });
    }
}

/// It has told how its work ended, so nothing is lost with its process.
void RankGroup::endLingering(size_t rank)
{
    const std::optional<distributed::Beat>& last = m_observer.beatOf(static_cast<int64_t>(rank));
    if (!last || !last->gone)
        return;
    const Clock::time_point now = Clock::now();
    const Clock::time_point since = m_workDone[rank].value_or(now);
    m_workDone[rank] = since;
    if (now - since < std::chrono::duration<double>(m_options.heartbeatTimeoutSeconds))
        return;
    m_notices.push_back("rank " + std::to_string(rank)
        + " had done its work, but its process did not end: the kernel says of it "
        + distributed::kernelState(m_ranks[rank].pid()) + "; it was killed");
    m_ranks[rank].signal(SIGKILL);
    m_exits[rank] = ExitStatus { .code = static_cast<int>(last->exitCode), .signal = 0 };
}

/// How a rank ended that said nothing.
std::string RankGroup::causeOf(size_t rank) const
{
    const ExitStatus& exit = *m_exits[rank];
    const std::optional<int64_t> kills = outOfMemoryKills();
    std::string how = describe(exit);
    if (exit.signal == SIGKILL && kills && m_memoryKills)
        how = *kills > *m_memoryKills
            ? "was killed by the kernel for lack of memory (its count of such kills rose from "
                + std::to_string(*m_memoryKills) + " to " + std::to_string(*kills) + ")"
            : "was killed by SIGKILL (not for lack of memory: the kernel counted no such kill)";
    return "it " + how + "; see " + m_folder.log(static_cast<int64_t>(rank)).string();
}

/// A rank that could still speak has said why, and keeps the word.
void RankGroup::fail(const Failure& failure)
{
    m_failure = distributed::keepFirst(*m_store, failure);
    m_failureTime = Clock::now();
}

bool RankGroup::allGone() const
{
    return std::all_of(
        m_exits.begin(), m_exits.end(), [](const auto& exit) { return exit.has_value(); });
}

bool RankGroup::wasStopped() const
{
    return std::any_of(m_exits.begin(), m_exits.end(),
        [](const auto& exit) { return exit && exit->signal == 0 && exit->code == kStopped; });
}

std::vector<pid_t> RankGroup::pids() const
{
    std::vector<pid_t> pids;
    for (const RankProcess& rank : m_ranks)
        pids.push_back(rank.pid());
    return pids;
}

void RankGroup::kill()
{
    m_killed = m_killed || !m_failure;
    for (const RankProcess& rank : m_ranks)
        rank.signal(SIGKILL);
}

} // namespace earwright::engine
