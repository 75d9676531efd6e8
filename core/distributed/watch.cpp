#include "core/distributed/watch.h"

#include "core/distributed/group.h"
#include "core/run/run_folder.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

namespace kymo::distributed {

namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(100);
constexpr auto kWaitForOthers = std::chrono::seconds(3);

} // namespace

std::string failureToJson(const Failure& failure)
{
    return nlohmann::json {
        { "rank", failure.rank }, { "host", failure.host }, { "phase", failure.phase },
        { "step", failure.step }, { "cause", failure.cause }
    }.dump();
}

std::optional<Failure> failureFromJson(const std::string& text)
{
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object())
        return {};
    return Failure { json.value("rank", int64_t(-1)), json.value("host", ""),
        json.value("phase", ""), json.value("step", int64_t(0)), json.value("cause", "") };
}

std::string describe(const Failure& failure)
{
    std::string who = failure.rank < 0 ? "the supervisor" : "rank " + std::to_string(failure.rank);
    if (!failure.host.empty())
        who += " on " + failure.host;
    if (!failure.phase.empty())
        who += " failed in " + failure.phase + " at step " + std::to_string(failure.step);
    else
        who += " failed";
    return who + ": " + failure.cause;
}

struct Watch::State {
    // Constant after construction
    int64_t rank = 0;
    std::function<void(const Failure&)> leave;
    c10::intrusive_ptr<c10d::Store> store;

    std::atomic<bool> stop { false };
    std::atomic<int64_t> checkpoints { 0 };
    std::atomic<bool> failing {
        false
    }; ///< this rank publishes its own end: the thread no longer leaves for it

    std::mutex mutex; ///< Guards all below
    std::condition_variable wake;
    bool quit = false;
    std::string phase = "start";
    int64_t step = 0;
    int64_t checkpointsTaken = 0;

    std::thread thread;

    std::optional<Failure> failure() const
    {
        if (!store->check({ keys::kFailure }))
            return {};
        return failureFromJson(store->get_to_str(keys::kFailure));
    }

    void look()
    {
        if (const std::optional<Failure> first = failure(); first && !failing)
            leave(*first);
        if (store->check({ keys::kStop }))
            stop = true;
        checkpoints = store->add(keys::kCheckpoint, 0);
    }

    void run()
    {
        std::unique_lock lock(mutex);
        while (!wake.wait_for(lock, kPollInterval, [this] { return quit; })) {
            lock.unlock();
            try {
                look();
            } catch (const std::exception& problem) {
                if (!failing)
                    leave({ -1, "", "", 0,
                        std::string("the run's store is gone, its supervisor with it (")
                            + problem.what() + ")" });
            }
            lock.lock();
        }
    }
};

Watch::Watch(const Rendezvous& rendezvous, std::function<void(const Failure&)> leave)
    : m_state(std::make_unique<State>())
{
    m_state->rank = rendezvous.rank;
    m_state->leave = std::move(leave);
    m_state->store = ofAttempt(
        makeStore(rendezvous.masterAddress, rendezvous.masterPort, false), rendezvous.restart);
    m_state->thread = std::thread([state = m_state.get()] { state->run(); });
}

Watch::~Watch()
{
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->quit = true;
    }
    m_state->wake.notify_all();
    m_state->thread.join();
}

void Watch::at(const std::string& phase, int64_t step)
{
    const std::lock_guard lock(m_state->mutex);
    m_state->phase = phase;
    m_state->step = step;
}

bool Watch::stopRequested() const
{
    return m_state->stop;
}

bool Watch::takeCheckpointRequest()
{
    const std::lock_guard lock(m_state->mutex);
    const int64_t asked = m_state->checkpoints;
    const bool fresh = asked > m_state->checkpointsTaken;
    m_state->checkpointsTaken = asked;
    return fresh;
}

Failure Watch::publish(const std::string& cause, bool waitForOthers)
{
    m_state->failing = true;
    Failure mine { m_state->rank, run::hostName(), "", 0, cause };
    {
        const std::lock_guard lock(m_state->mutex);
        mine.phase = m_state->phase;
        mine.step = m_state->step;
    }
    try {
        const auto deadline = std::chrono::steady_clock::now() + kWaitForOthers;
        while (waitForOthers && std::chrono::steady_clock::now() < deadline) {
            if (const std::optional<Failure> first = m_state->failure())
                return *first;
            std::this_thread::sleep_for(kPollInterval);
        }
        const std::string kept
            = m_state->store->compareSet(keys::kFailure, std::string(), failureToJson(mine));
        return failureFromJson(kept).value_or(mine);
    } catch (const std::exception&) {
        return mine; // the store is gone: nobody is left to tell
    }
}

} // namespace kymo::distributed
