#include "core/distributed/watch.h"

#include "core/base/clock.h"
#include "core/base/mutation.h"
#include "core/base/number.h"
#include "core/distributed/first_failure.h"
#include "core/distributed/group.h"
#include "core/distributed/hang.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace earwright::distributed {

namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(100);
constexpr auto kWaitForOthers = std::chrono::seconds(3);

} // namespace

std::string keys::beatOf(int64_t rank)
{
    return "earwright/beat/" + std::to_string(rank);
}

struct Watch::State {
    // Constant after construction
    Rendezvous rendezvous;
    Pulse& pulse;
    double timeoutSeconds;
    std::function<bool()> endRequested;
    std::function<void(const Failure&)> leave;
    c10::intrusive_ptr<c10d::Store> store;

    // The talking thread only
    std::optional<HangObserver> others {};

    std::atomic<bool> stop { false };
    std::atomic<bool> pause { false };
    std::atomic<int64_t> checkpoints { 0 };
    std::atomic<bool> failing { false }; ///< this rank publishes its own end: the
                                         ///< thread no longer leaves for it
    std::atomic<bool> ending { false }; ///< all ranks are about to
    std::atomic<int> exitCode { 0 }; ///< of this one, where it is
    std::atomic<Clock::time_point> answered { Clock::now() }; ///< when the store did last

    std::mutex mutex {}; ///< Guards all below
    std::condition_variable wake {};
    bool quit = false;
    int64_t checkpointsTaken = 0;
    std::string learningRate {}; ///< the latest request
    bool learningRateIsNew = false;

    std::thread talking {}; ///< with the store, which may keep it waiting
    std::thread guarding {}; ///< that it does not wait for ever

    Failure mine(const std::string& cause)
    {
        const Beat beat = pulse.beat(timeoutSeconds);
        return { rendezvous.rank, beat.host, beat.phase, beat.step, cause };
    }

    /// The beats of all ranks, as they stand in the store.
    std::vector<std::optional<Beat>> beats() const
    {
        std::vector<std::optional<Beat>> all(static_cast<size_t>(rendezvous.worldSize));
        for (size_t rank = 0; rank < all.size(); ++rank) {
            const std::string key = keys::beatOf(static_cast<int64_t>(rank));
            if (store->check({ key }))
                all[rank] = beatFromJson(store->get_to_str(key));
        }
        return all;
    }

    /// What another rank says within 3 s, or of a rank that has been silent meanwhile: what broke
    /// the connection.
    std::optional<Failure> causeElsewhere(const std::string& broken) const
    {
        const auto before = beats();
        for (const auto deadline = Clock::now() + kWaitForOthers; Clock::now() < deadline;
             std::this_thread::sleep_for(kPollInterval)) {
            if (const std::optional<Failure> first = firstFailure(*store))
                return first;
        }
        const auto after = beats();
        for (size_t rank = 0; rank < after.size(); ++rank) {
            const bool silent = before[rank] && after[rank] && !after[rank]->gone
                && before[rank]->count == after[rank]->count;
            if (silent && static_cast<int>(rank) != rendezvous.rank)
                return Failure { static_cast<int64_t>(rank), after[rank]->host, after[rank]->phase,
                    after[rank]->step,
                    "its process or host is gone: no heartbeat, and its "
                    "connection broke ("
                        + broken + ")" };
        }
        return {};
    }

    void beat(bool gone)
    {
        if (isDisabled("heartbeat"))
            return;
        Beat now = pulse.beat(timeoutSeconds);
        now.gone = gone;
        now.exitCode = exitCode;
        store->set(keys::beatOf(rendezvous.rank), beatToJson(now));
    }

    /// What a key holds, "" where it is not there.
    std::string valueOf(const char* key) const
    {
        return store->check({ key }) ? store->get_to_str(key) : std::string();
    }

    /// What a supervisor passes on. Where there is none nobody asks, and what stands there is not
    /// heeded.
    void readRequests()
    {
        stop = stop || valueOf(keys::kStop) == "1";
        pause = valueOf(keys::kPause) == "1";
        const auto count = parseNumber<int64_t>(valueOf(keys::kCheckpoint));
        if (count && *count > 0)
            checkpoints = *count;
        if (const std::string rate = valueOf(keys::kLearningRate); !rate.empty())
            noteLearningRate(rate);
    }

    void noteLearningRate(const std::string& text)
    {
        const std::lock_guard lock(mutex);
        learningRateIsNew = learningRateIsNew || text != learningRate;
        learningRate = text;
    }

    void look()
    {
        beat(false);
        std::optional<Failure> first = firstFailure(*store);
        if (!first && others) {
            if (const std::optional<Failure> hang = others->look())
                first = keepFirst(*store, *hang);
        }
        if (!first && endRequested())
            first = keepFirst(*store,
                mine("it was told to end (SIGTERM): another rank has ended, or the job's time is "
                     "up"));
        if (first && !failing)
            leave(*first);
        if (rendezvous.storeHost == StoreHost::Supervisor)
            readRequests();
        answered = Clock::now();
    }

    void loseStore(const std::string& why)
    {
        if (!failing && !ending)
            leave(mine("the run's store is gone, and with it " + host() + " (" + why + ")"));
    }

    void talk()
    {
        std::unique_lock lock(mutex);
        while (!wake.wait_for(lock, kPollInterval, [this] { return quit; })) {
            lock.unlock();
            try {
                look();
            } catch (const c10::Error& problem) {
                loseStore(problem.what_without_backtrace());
            } catch (const std::exception& problem) {
                loseStore(problem.what());
            }
            lock.lock();
        }
    }

    /// Who serves the store.
    std::string host() const
    {
        switch (rendezvous.storeHost) {
        case StoreHost::Supervisor:
            return "its keeper";
        case StoreHost::Torchrun:
            return "the launcher";
        case StoreHost::RankZero:
            break;
        }
        return "rank 0";
    }

    std::string silence(double seconds) const
    {
        char since[96];
        std::snprintf(since, sizeof since,
            " has not answered for %.1f s (heartbeat_timeout %g s): ", seconds, timeoutSeconds);
        const bool isHere = rendezvous.storeHost == StoreHost::Supervisor;
        return "the run's store at " + rendezvous.store.name() + since + host() + " is stopped"
            + (isHere ? "" : ", or one of the two hosts is cut off from the network");
    }

    /// A network that was cut says nothing at all.
    void guard()
    {
        const auto timeout = std::chrono::duration<double>(timeoutSeconds);
        Clock::time_point lastLook = Clock::now();
        std::unique_lock lock(mutex);
        while (!wake.wait_for(lock, kPollInterval, [this] { return quit; })) {
            const Clock::time_point now = Clock::now();
            if (now - lastLook > timeout / 2)
                answered = now; // this process itself was stopped
            lastLook = now;
            if (now - answered.load() < timeout)
                continue;
            lock.unlock();
            leave(mine(silence(std::chrono::duration<double>(now - answered.load()).count())));
            lock.lock();
        }
    }
};

Watch::Watch(const Rendezvous& rendezvous, Pulse& pulse, const WatchOptions& options,
    std::function<void(const Failure&)> leave)
    : m_state(new State { .rendezvous = rendezvous,
        .pulse = pulse,
        .timeoutSeconds = options.heartbeatTimeoutSeconds,
        .endRequested = options.endRequested,
        .leave = std::move(leave),
        .store = connectToStore(rendezvous) })
{
    if (options.observesOthers)
        m_state->others.emplace(m_state->store, rendezvous.worldSize, m_state->timeoutSeconds);
    m_state->answered = Clock::now();
    m_state->talking = std::thread([state = m_state.get()] { state->talk(); });
    m_state->guarding = std::thread([state = m_state.get()] { state->guard(); });
}

Watch::~Watch()
{
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->quit = true;
    }
    m_state->wake.notify_all();
    m_state->talking.join();
    m_state->guarding.join();
    try {
        m_state->beat(true);
    } catch (const std::exception&) {
        // The store is gone: nobody looks any more.
    }
}

bool Watch::stopRequested() const
{
    return m_state->stop;
}

bool Watch::pauseRequested() const
{
    return m_state->pause;
}

std::optional<double> Watch::takeLearningRate()
{
    const std::lock_guard lock(m_state->mutex);
    if (!std::exchange(m_state->learningRateIsNew, false))
        return {};
    const std::string& text = m_state->learningRate;
    const auto rate = parseNumber<double>(text.substr(std::min(text.size(), text.find(' ') + 1)));
    return rate && *rate > 0 ? rate : std::nullopt;
}

bool Watch::takeCheckpointRequest()
{
    const std::lock_guard lock(m_state->mutex);
    const int64_t asked = m_state->checkpoints;
    const bool fresh = asked > m_state->checkpointsTaken;
    m_state->checkpointsTaken = asked;
    return fresh;
}

void Watch::expectEnd(int exitCode)
{
    m_state->exitCode = exitCode;
    m_state->ending = true;
}

void Watch::waitForOthersToEnd()
{
    const auto deadline = Clock::now() + std::chrono::duration<double>(m_state->timeoutSeconds);
    const auto othersHaveEnded = [this] {
        const auto beats = m_state->beats();
        return std::all_of(beats.begin(), beats.end(), [this, &beats](const auto& beat) {
            return &beat == &beats[static_cast<size_t>(m_state->rendezvous.rank)]
                || (beat && beat->gone);
        });
    };
    while (!othersHaveEnded() && Clock::now() < deadline)
        std::this_thread::sleep_for(kPollInterval);
}

Failure Watch::publish(const std::string& cause, bool mayBeEcho)
{
    m_state->failing = true;
    const std::string wait = mayBeEcho ? m_state->pulse.waitedIn() : std::string();
    const Failure mine = m_state->mine(wait.empty() ? cause : cause + "; it waited in " + wait);
    try {
        const std::optional<Failure> elsewhere
            = mayBeEcho ? m_state->causeElsewhere(cause) : std::nullopt;
        return keepFirst(*m_state->store, elsewhere.value_or(mine));
    } catch (const std::exception&) {
        return mine; // the store is gone: nobody is left to tell
    }
}

} // namespace earwright::distributed
