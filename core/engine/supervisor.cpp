#include "core/engine/supervisor.h"

#include "core/distributed/group.h"
#include "core/distributed/watch.h"
#include "core/engine/rank_main.h"
#include "core/engine/rank_process.h"
#include "core/run/control.h"
#include "core/run/event_log.h"
#include "core/run/follower.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace kymo::engine {

namespace {

using Clock = std::chrono::steady_clock;
using distributed::Failure;

constexpr auto kTick = std::chrono::milliseconds(50);
constexpr auto kFollowInterval = std::chrono::milliseconds(200);
constexpr auto kGrace = std::chrono::seconds(5); ///< for the other ranks to leave after a failure

class Supervisor final {
public:
    Supervisor(const run::RunFolder& folder, const plan::Plan& plan, const Supervision& supervision)
        : m_folder(folder)
        , m_plan(plan)
        , m_supervision(supervision)
        , m_follower(folder)
    {
    }

    Result<run::State> run();

private:
    Status start();
    Status startRank(size_t rank);
    std::string answer(const std::string& request);
    void obeyRequests();
    void watchRanks();
    void fail(const Failure& failure);
    void follow(bool now);
    bool allGone() const
    {
        return std::all_of(
            m_exits.begin(), m_exits.end(), [](const auto& exit) { return exit.has_value(); });
    }
    run::State finish();

    const run::RunFolder& m_folder;
    const plan::Plan& m_plan;
    const Supervision& m_supervision;
    run::Follower m_follower;
    std::unique_ptr<run::EventWriter> m_events;
    c10::intrusive_ptr<c10d::Store> m_store;
    int m_port = 0;
    std::unique_ptr<run::ControlServer> m_control;
    std::vector<RankProcess> m_ranks;
    std::vector<std::optional<ExitStatus>> m_exits;
    std::optional<Failure> m_failure;
    Clock::time_point m_failureTime;
    Clock::time_point m_lastFollow;
    std::atomic<bool> m_stopAsked { false }; ///< set by the control thread
    std::atomic<bool> m_killAsked { false };
    std::atomic<int> m_savesAsked { 0 };
    int m_savesPassedOn = 0;
    bool m_stopPassedOn = false;
};

Status Supervisor::startRank(size_t rank)
{
    const std::string worldSize = std::to_string(m_plan.devices.size());
    const std::map<std::string, std::string> environment { { "RANK", std::to_string(rank) },
        { "LOCAL_RANK", std::to_string(rank) }, { "WORLD_SIZE", worldSize },
        { "LOCAL_WORLD_SIZE", worldSize }, { "MASTER_ADDR", "127.0.0.1" },
        { "MASTER_PORT", std::to_string(m_port) }, { "TORCHELASTIC_USE_AGENT_STORE", "True" },
        { "TORCHELASTIC_RESTART_COUNT", "0" }, { "GROUP_RANK", "0" }, { "KYMO_SUPERVISED", "1" },
        { "OMP_NUM_THREADS",
            std::to_string(std::max<size_t>(
                1, std::thread::hardware_concurrency() / m_plan.devices.size())) } };
    Result<RankProcess> started
        = RankProcess::start({ std::filesystem::canonical(m_supervision.rankProgram).string(),
                                 "rank", m_folder.path.string() },
            environment, m_folder.log(static_cast<int64_t>(rank)));
    if (!started)
        return started.error();
    m_ranks.push_back(std::move(*started));
    m_exits.emplace_back();
    return Done {};
}

Status Supervisor::start()
{
    m_store = distributed::ofAttempt(distributed::makeStore("127.0.0.1", 0, true, &m_port), 0);
    auto control = run::ControlServer::listen(
        [this](const std::string& request) { return answer(request); });
    if (!control)
        return control.error();
    m_control = std::move(*control);
    const auto pid = static_cast<int64_t>(getpid());
    const Status locked = run::writeLock(m_folder,
        { .pid = pid,
            .processStartTicks = run::processStartTicks(pid),
            .socket = m_control->socketPath(),
            .host = run::hostName() });
    if (!locked)
        return locked;
    std::error_code ignored;
    int64_t attempt = 0;
    for (const auto& entry : std::filesystem::directory_iterator(m_folder.events(-1), ignored))
        attempt += entry.is_regular_file() ? 1 : 0;
    auto events = run::EventWriter::open(m_folder.events(-1), attempt);
    if (!events)
        return events.error();
    m_events = std::move(*events);
    std::filesystem::create_directories(m_folder.log(0).parent_path(), ignored);
    for (size_t rank = 0; rank < m_plan.devices.size(); ++rank) {
        const Status started = startRank(rank);
        if (!started)
            return started;
    }
    return Done {};
}

std::string Supervisor::answer(const std::string& request)
{
    const auto json = nlohmann::json::parse(request, nullptr, false);
    const std::string command = json.is_object() ? json.value("command", "") : "";
    if (command == "stop")
        m_stopAsked = true;
    else if (command == "kill")
        m_killAsked = true;
    else if (command == "checkpoint")
        m_savesAsked += 1;
    else if (command != "status")
        return nlohmann::json {
            { "ok", false },
            { "error", "unknown command '" + command + "': stop, kill, checkpoint or status" }
        }.dump();
    return nlohmann::json {
        { "ok", true }, { "pid", getpid() }, { "stopping", m_stopAsked.load() }
    }.dump();
}

void Supervisor::obeyRequests()
{
    const int asked = m_supervision.stopRequests();
    if ((m_stopAsked || asked > 0) && !m_stopPassedOn) {
        m_store->set(distributed::keys::kStop, std::string("1"));
        m_events->write(
            { .payload = run::Message { "info", "stopping after this step, with a checkpoint" } });
        m_stopPassedOn = true;
    }
    for (; m_savesPassedOn < m_savesAsked; ++m_savesPassedOn)
        m_store->add(distributed::keys::kCheckpoint, 1);
    if (m_killAsked || asked > 1) {
        for (const RankProcess& rank : m_ranks)
            rank.signal(SIGKILL);
        m_stopPassedOn = true;
        m_killAsked = true;
    }
}

void Supervisor::fail(const Failure& failure)
{
    m_failure = failure;
    m_failureTime = Clock::now();
    m_store->compareSet(
        distributed::keys::kFailure, std::string(), distributed::failureToJson(failure));
}

void Supervisor::watchRanks()
{
    for (size_t rank = 0; rank < m_ranks.size(); ++rank) {
        if (m_exits[rank])
            continue;
        m_exits[rank] = m_ranks[rank].poll();
        const bool clean = !m_exits[rank]
            || (m_exits[rank]->signal == 0
                && (m_exits[rank]->code == kDone || m_exits[rank]->code == kStopped));
        if (clean || m_failure || m_killAsked)
            continue;
        // A rank that could still speak has said why; one that was killed has not.
        std::optional<Failure> said;
        if (m_store->check({ distributed::keys::kFailure }))
            said = distributed::failureFromJson(m_store->get_to_str(distributed::keys::kFailure));
        const run::Snapshot& now = m_follower.snapshot();
        fail(said.value_or(Failure { static_cast<int64_t>(rank), run::hostName(),
            now.phase.empty() ? "start" : now.phase, now.step,
            "it " + describe(*m_exits[rank]) + "; see "
                + m_folder.log(static_cast<int64_t>(rank)).string() }));
    }
    if (m_failure && Clock::now() - m_failureTime > kGrace) {
        for (const RankProcess& rank : m_ranks)
            rank.signal(SIGKILL);
    }
}

void Supervisor::follow(bool now)
{
    if (!now && Clock::now() - m_lastFollow < kFollowInterval)
        return;
    m_lastFollow = Clock::now();
    const Result<bool> changed = m_follower.poll();
    if (changed)
        m_supervision.progress(m_follower.snapshot());
}

run::State Supervisor::finish()
{
    run::Finished end { .state = "done", .error = "", .rank = -1 };
    run::State state = run::State::Done;
    const bool stopped = m_killAsked
        || std::any_of(m_exits.begin(), m_exits.end(),
            [](const auto& exit) { return exit->code == kStopped; });
    if (m_failure) {
        end = { "failed", distributed::describe(*m_failure), m_failure->rank };
        state = run::State::Failed;
    } else if (stopped) {
        end.state = "stopped";
        state = run::State::Stopped;
    }
    m_events->write({ .payload = end });
    m_events->flush();
    follow(true);
    const Status written = run::writeResult(m_folder, m_follower.snapshot());
    if (!written)
        m_events->write({ .payload = run::Message { "error", written.error().message } });
    m_control.reset();
    run::removeLock(m_folder);
    return state;
}

Result<run::State> Supervisor::run()
{
    const Status started = start();
    if (!started) {
        for (const RankProcess& rank : m_ranks)
            rank.signal(SIGKILL);
        run::removeLock(m_folder);
        return started.error();
    }
    while (!allGone()) {
        obeyRequests();
        watchRanks();
        follow(false);
        std::this_thread::sleep_for(kTick);
    }
    return finish();
}

} // namespace

Result<run::State> supervise(
    const run::RunFolder& folder, const plan::Plan& plan, const Supervision& supervision)
{
    if (const auto lock = run::liveLock(folder))
        return Error { folder.path.string() + " is running already (process "
            + std::to_string(lock->pid) + "): stop it with `kymo stop " + folder.path.string()
            + "`" };
    try {
        return Supervisor(folder, plan, supervision).run();
    } catch (const std::exception& problem) {
        return Error { std::string("the run could not be supervised: ") + problem.what() };
    }
}

} // namespace kymo::engine
