#include "core/engine/supervisor.h"

#include "core/base/clock.h"
#include "core/base/number.h"
#include "core/distributed/watch.h"
#include "core/engine/keeper.h"
#include "core/engine/machine_probe.h"
#include "core/engine/rank_group.h"
#include "core/engine/run_requests.h"
#include "core/engine/system_watch.h"
#include "core/run/capsule.h"
#include "core/run/control.h"
#include "core/run/event_log.h"
#include "core/run/follower.h"
#include "core/run/hold.h"

#include <memory>
#include <numeric>
#include <set>
#include <thread>
#include <unistd.h>

namespace earwright::engine {

namespace {

constexpr auto kTick = std::chrono::milliseconds(50);
constexpr auto kFollowInterval = std::chrono::milliseconds(200);
constexpr auto kHoldPatience
    = std::chrono::seconds(7); ///< ranks of a killed supervisor may be leaving

/// Two failures of one rank with no checkpoint between them are at the same place.
struct FailurePlace {
    int64_t rank = -1;
    size_t checkpoints = 0;
    bool operator==(const FailurePlace&) const = default;
};

/// CUDA was asked of them before, when the recipe was checked. One that it does not know any more
/// has no figures.
std::vector<SystemSubject::Gpu> gpusOf(
    const std::vector<std::string>& devices, const std::vector<size_t>& used)
{
    std::set<std::string> names;
    for (const size_t device : used)
        names.insert(devices[device]);
    std::vector<SystemSubject::Gpu> gpus;
    for (const std::string& name : names) {
        constexpr std::string_view kCuda = "cuda:";
        const auto index = name.starts_with(kCuda)
            ? parseNumber<int>(std::string_view(name).substr(kCuda.size()))
            : std::nullopt;
        try {
            if (index)
                gpus.push_back({ *index, gpuUuid(*index) });
        } catch (const c10::Error&) {
        }
    }
    return gpus;
}

class Supervisor final {
public:
    Supervisor(const run::RunFolder& folder, const plan::Plan& plan, const Supervision& supervision)
        : m_folder(folder)
        , m_plan(plan)
        , m_supervision(supervision)
        , m_follower(folder)
        , m_devices(plan.devices.size())
    {
        std::iota(m_devices.begin(), m_devices.end(), 0);
    }

    Result<run::State> run();

private:
    Status take();
    Status open();
    Status startRanks();
    bool mayRestart() const;
    void prepareRestart();
    void watchToTheEnd();
    void follow(bool now);
    run::Finished howItEnded() const;
    run::State finish(const run::Finished& end);

    const run::RunFolder& m_folder;
    const plan::Plan& m_plan;
    const Supervision& m_supervision;
    run::Follower m_follower;
    std::unique_ptr<run::EventWriter> m_events;
    std::optional<Keeper> m_keeper; ///< started before the hold, which it is not to have
    Descriptor m_hold; ///< the ranks have it too
    bool m_isLocked = false;
    RunRequests m_requests;
    std::unique_ptr<run::ControlServer> m_control; ///< asks m_requests
    std::vector<size_t> m_devices; ///< of the ranks: places in the plan's list
    int m_restarts = 0;
    std::optional<FailurePlace> m_lastFailure;
    std::string m_storeError; ///< why the store cannot be asked any more
    std::unique_ptr<RankGroup> m_ranks;
    std::unique_ptr<SystemWatch> m_watch; ///< writes into m_events
    Clock::time_point m_lastFollow;
};

/// The right to run the run, and the process that serves the ranks' store.
Status Supervisor::take()
{
    Result<Keeper> keeper
        = Keeper::start(std::filesystem::canonical(m_supervision.rankProgram), m_folder);
    if (!keeper)
        return keeper.error();
    m_keeper.emplace(std::move(*keeper));
    m_supervision.started(m_keeper->group());
    Result<Descriptor> hold = run::holdRun(m_folder, kHoldPatience);
    if (!hold)
        return hold.error();
    m_hold = std::move(*hold);
    return Done {};
}

/// Takes the run: its control socket, its lock, its event log.
Status Supervisor::open()
{
    const Status taken = take();
    if (!taken)
        return taken;
    auto control = run::ControlServer::listen(
        [this](const std::string& request) { return m_requests.answer(request); });
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
    m_isLocked = true;
    std::error_code ignored;
    int64_t attempt = 0;
    for (const auto& entry : std::filesystem::directory_iterator(m_folder.events(-1), ignored))
        attempt += entry.is_regular_file() ? 1 : 0;
    auto events = run::EventWriter::open(m_folder.events(-1), attempt);
    if (!events)
        return events.error();
    m_events = std::move(*events);
    m_watch = std::make_unique<SystemWatch>(*m_events, SystemPlaces { .folder = m_folder.path });
    m_events->write({ .payload = run::PhaseChanged { "starting" } });
    for (const run::Message& note : m_supervision.notes)
        m_events->write({ .payload = note });
    m_events->flush();
    std::filesystem::create_directories(m_folder.log(0).parent_path(), ignored);
    return Done {};
}

Status Supervisor::startRanks()
try {
    m_keeper->watchOver(m_restarts);
    auto ranks = RankGroup::start(m_folder,
        { .program = m_supervision.rankProgram,
            .storeSocket = m_keeper->socketPath(),
            .processGroup = m_keeper->group(),
            .devices = m_devices,
            .restart = m_restarts,
            .heartbeatTimeoutSeconds = m_plan.options.heartbeatTimeout });
    if (!ranks)
        return ranks.error();
    m_ranks = std::move(*ranks);
    m_watch->setSubject({ m_ranks->pids(), gpusOf(m_plan.devices, m_devices) });
    return Done {};
} catch (const c10::Error& problem) {
    return Error { std::string("the ranks could not be started: ")
        + problem.what_without_backtrace() };
}

bool Supervisor::mayRestart() const
{
    return m_ranks->failure() && m_restarts < m_plan.options.maxRestarts && !m_requests.isEnding();
}

/// Chooses the ranks of the next start: without one that failed twice at the same place, where the
/// plan allows fewer. Its device or its part of the machine is broken.
void Supervisor::prepareRestart()
{
    const distributed::Failure& failure = *m_ranks->failure();
    const FailurePlace place { failure.rank, m_follower.snapshot().checkpoints.size() };
    const int64_t least = m_plan.options.minNprocPerNode;
    const bool isOfOurs = failure.rank >= 0 && failure.rank < std::ssize(m_devices);
    if (m_lastFailure == place && isOfOurs && least > 0 && std::ssize(m_devices) > least) {
        m_devices.erase(m_devices.begin() + failure.rank);
        m_lastFailure.reset();
    } else {
        m_lastFailure = place;
    }
    m_restarts += 1;
    run::Restarting event { .restart = m_restarts,
        .maxRestarts = m_plan.options.maxRestarts,
        .error = distributed::describe(failure),
        .rank = failure.rank,
        .devices = {} };
    for (const size_t device : m_devices)
        event.devices.push_back(m_plan.devices[device]);
    if (!failure.detail.empty())
        m_events->write({ .payload = run::Message { "error", failure.detail } });
    m_events->write({ .payload = std::move(event) });
    m_requests.startAnew();
}

void Supervisor::follow(bool now)
{
    if (!now && Clock::now() - m_lastFollow < kFollowInterval)
        return;
    m_lastFollow = Clock::now();
    const Result<bool> changed = m_follower.poll();
    if (m_watch && changed) // else the log was not read, and its step not known
        m_watch->setStep(m_follower.snapshot().step);
    if (changed)
        m_supervision.progress(m_follower.snapshot());
}

run::Finished Supervisor::howItEnded() const
{
    if (const std::optional<distributed::Failure>& failure = m_ranks->failure())
        return { "failed", distributed::describe(*failure), failure->rank };
    if (!m_storeError.empty())
        return { "failed",
            "the process that serves the ranks' store (earwright keep) is gone: " + m_storeError,
            -1 };
    return { m_requests.isKilled() || m_ranks->wasStopped() ? "stopped" : "done", "", -1 };
}

run::State Supervisor::finish(const run::Finished& end)
{
    m_watch.reset();
    m_events->write({ .payload = end });
    m_events->flush();
    follow(true);
    const Status written = run::writeResult(m_folder, m_follower.snapshot());
    if (!written)
        m_events->write({ .payload = run::Message { "error", written.error().message } });
    m_control.reset();
    run::removeLock(m_folder);
    return run::stateFromName(end.state);
}

void Supervisor::watchToTheEnd()
try {
    while (!m_ranks->allGone()) {
        m_requests.passOn(m_supervision.stopRequests(), *m_ranks, *m_events);
        m_ranks->look();
        for (const std::string& notice : m_ranks->takeNotices())
            m_events->write({ .payload = run::Message { "warning", notice } });
        follow(false);
        std::this_thread::sleep_for(kTick);
    }
} catch (const c10::Error& problem) {
    m_storeError = problem.what_without_backtrace();
    m_ranks->kill();
    while (!m_ranks->allGone()) {
        m_ranks->look();
        std::this_thread::sleep_for(kTick);
    }
}

Result<run::State> Supervisor::run()
{
    Status started = open();
    if (!started) {
        if (m_isLocked)
            run::removeLock(m_folder);
        return started.error();
    }
    started = startRanks();
    if (!started) {
        finish({ "failed", started.error().message, -1 });
        return started.error();
    }
    watchToTheEnd();
    while (mayRestart()) {
        follow(true);
        prepareRestart();
        started = startRanks();
        if (!started) {
            m_events->write({ .payload = run::Message { "error", started.error().message } });
            break; // what went wrong first is still what is told
        }
        watchToTheEnd();
    }
    if (const auto& failure = m_ranks->failure(); failure && !failure->detail.empty())
        m_events->write({ .payload = run::Message { "error", failure->detail } });
    return finish(howItEnded());
}

} // namespace

Status checkRunnable(const run::RunFolder& folder)
{
    const std::string path = folder.path.string();
    if (const auto lock = run::liveLock(folder))
        return Error { path + " is running already (process " + std::to_string(lock->pid)
            + "): stop it with `earwright stop " + path + "`" };
    if (run::isCapsule(folder))
        return Error { "'" + path
            + "' came out of a capsule, in which nothing trains: `init_param: " + path
            + "` in a recipe starts a run of its own from its weights" };
    return Done {};
}

Result<run::State> supervise(
    const run::RunFolder& folder, const plan::Plan& plan, const Supervision& supervision)
{
    if (const Status runnable = checkRunnable(folder); !runnable)
        return runnable.error();
    try {
        return Supervisor(folder, plan, supervision).run();
    } catch (const c10::Error& problem) {
        return Error { std::string("the run could not be supervised: ")
            + problem.what_without_backtrace() };
    } catch (const std::exception& problem) {
        return Error { std::string("the run could not be supervised: ") + problem.what() };
    }
}

} // namespace earwright::engine
