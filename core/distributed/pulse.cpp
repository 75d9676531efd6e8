#include "core/distributed/pulse.h"

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/distributed/thread_stack.h"
#include "core/run/run_folder.h"

#include <algorithm>
#include <ATen/record_function.h>
#include <atomic>
#include <chrono>
#include <ctime>
#include <exception>
#include <filesystem>
#include <mutex>
#include <sys/syscall.h>
#include <unistd.h>

namespace earwright::distributed {

namespace {

/// A process that uses less of one core than this waits; polling and beating take a hundredth.
constexpr double kComputing = 0.1;
/// Who was not scheduled for so long was stopped as a whole: that says nothing of its main thread.
constexpr double kSuspendedSeconds = 1;

double processCpuSeconds()
{
    timespec used {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

double secondsSince(Clock::time_point then, Clock::time_point now)
{
    return std::chrono::duration<double>(now - then).count();
}

/// Of this thread while it has a batch in the model. RecordFunction takes plain functions only.
thread_local std::atomic<int64_t>* t_operators = nullptr;
thread_local Pulse* t_inModel = nullptr;

constexpr const char* kThreads = "/proc/self/task";

/// Whether a disk keeps it: the kernel's state D, behind the name in parentheses.
bool isOnDisk(const std::string& threadId)
{
    const Result<std::string> stat = readFile(std::string(kThreads) + "/" + threadId + "/stat");
    const size_t nameEnd = stat ? stat->rfind(')') : std::string::npos;
    return nameEnd != std::string::npos && stat->compare(nameEnd, 3, ") D") == 0;
}

/// A worker may read what the main thread waits for.
bool isAnyThreadOnDisk()
{
    std::error_code gone;
    for (auto thread = std::filesystem::directory_iterator(kThreads, gone);
         !gone && thread != std::filesystem::directory_iterator(); thread.increment(gone)) {
        if (isOnDisk(thread->path().filename()))
            return true;
    }
    return false;
}

std::unique_ptr<at::ObserverContext> countOperator(const at::RecordFunction&)
{
    if (t_operators != nullptr)
        t_operators->fetch_add(1, std::memory_order_relaxed);
    return nullptr;
}

} // namespace

struct Pulse::State {
    // Constant after construction
    pthread_t mainThread = pthread_self();
    int64_t mainThreadId = syscall(SYS_gettid);

    std::atomic<int64_t> operators { 0 }; ///< begun with a batch in the model

    std::mutex mutex; ///< Guards all below
    Beat beat { .pid = getpid(),
        .processStartTicks = run::processStartTicks(getpid()),
        .host = run::hostName(),
        .phase = "start" };
    std::string brokenWait {}; ///< the innermost one that an exception ended
    Clock::time_point lastProgress = Clock::now();
    Clock::time_point lastComputing = Clock::now();
    Clock::time_point lastOperator = Clock::now();
    int64_t operatorsAtLastBeat = 0;
    bool isInModel = false;
    Clock::time_point lastBeat = Clock::now();
    double cpuAtLastBeat = processCpuSeconds();
    bool stackIsFresh = false; ///< taken since the main thread last moved

    void moved()
    {
        lastProgress = Clock::now();
        stackIsFresh = false;
        beat.stack.clear();
    }

    /// It gets no core (R), or a disk keeps it or a worker (D): a checkpoint may take minutes to
    /// reach a slow one, a batch to come from one.
    bool isHeldUp() const
    {
        return kernelState(mainThreadId).starts_with('R') || isAnyThreadOnDisk();
    }

    void measure()
    {
        const Clock::time_point now = Clock::now();
        const double interval = secondsSince(lastBeat, now);
        const double cpu = processCpuSeconds();
        const int64_t begun = operators.load(std::memory_order_relaxed);
        // Noises are read with the batch in the model.
        if (begun != operatorsAtLastBeat || (isInModel && isOnDisk(std::to_string(mainThreadId))))
            lastOperator = now;
        operatorsAtLastBeat = begun;
        if (interval > kSuspendedSeconds)
            lastProgress = lastComputing = lastOperator = now;
        else if (cpu - cpuAtLastBeat > kComputing * interval || isHeldUp())
            lastComputing = now;
        lastBeat = now;
        cpuAtLastBeat = cpu;
        beat.count += 1;
        beat.stuckSeconds = secondsSince(lastProgress, now);
        beat.quietSeconds = secondsSince(std::max(lastProgress, lastComputing), now);
        beat.idleSeconds = isInModel ? secondsSince(std::max(lastProgress, lastOperator), now) : 0;
    }
};

Pulse::Pulse()
    : m_state(std::make_unique<State>())
{
}

Pulse::~Pulse() = default;

void Pulse::at(const std::string& phase, int64_t step)
{
    const std::lock_guard lock(m_state->mutex);
    m_state->beat.phase = phase;
    m_state->beat.step = step;
    m_state->moved();
}

void Pulse::progress()
{
    const std::lock_guard lock(m_state->mutex);
    m_state->moved();
}

Pulse::Wait::Wait(Pulse& pulse, std::string what)
    : m_pulse(pulse)
    , m_exceptions(std::uncaught_exceptions())
{
    const std::lock_guard lock(pulse.m_state->mutex);
    pulse.m_state->brokenWait.clear();
    m_before = std::exchange(pulse.m_state->beat.waitsIn, std::move(what));
    pulse.m_state->beat.waits += 1;
    pulse.m_state->moved();
}

Pulse::Wait::~Wait()
{
    const std::lock_guard lock(m_pulse.m_state->mutex);
    State& state = *m_pulse.m_state;
    if (std::uncaught_exceptions() > m_exceptions && state.brokenWait.empty())
        state.brokenWait = state.beat.waitsIn;
    state.beat.waitsIn = std::move(m_before);
    state.moved();
}

std::string Pulse::waitedIn() const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->brokenWait.empty() ? m_state->beat.waitsIn : m_state->brokenWait;
}

Pulse::InModel::InModel(Pulse& pulse)
    : m_pulse(pulse)
    , m_callback(at::addThreadLocalCallback(
          at::RecordFunctionCallback(countOperator).scopes({ at::RecordScope::FUNCTION })))
{
    t_operators = &pulse.m_state->operators;
    t_inModel = &pulse;
    const std::lock_guard lock(pulse.m_state->mutex);
    pulse.m_state->isInModel = true;
    pulse.m_state->moved();
}

Pulse::InModel::~InModel()
{
    at::removeCallback(m_callback);
    t_operators = nullptr;
    t_inModel = nullptr;
    const std::lock_guard lock(m_pulse.m_state->mutex);
    m_pulse.m_state->isInModel = false;
    m_pulse.m_state->moved();
}

Pulse::WithoutOperators::WithoutOperators()
    : m_pulse(t_inModel)
{
    if (!m_pulse)
        return;
    const std::lock_guard lock(m_pulse->m_state->mutex);
    m_pulse->m_state->isInModel = false;
    m_pulse->m_state->moved();
}

Pulse::WithoutOperators::~WithoutOperators()
{
    if (!m_pulse)
        return;
    const std::lock_guard lock(m_pulse->m_state->mutex);
    m_pulse->m_state->isInModel = true;
    m_pulse->m_state->moved();
}

Beat Pulse::beat(double stackAfterSeconds)
{
    std::unique_lock lock(m_state->mutex);
    m_state->measure();
    const bool isLate
        = std::max(m_state->beat.quietSeconds, m_state->beat.idleSeconds) > stackAfterSeconds
        || m_state->beat.stuckSeconds > 10 * stackAfterSeconds;
    if (!isLate || m_state->stackIsFresh)
        return m_state->beat;
    m_state->stackIsFresh = true;
    lock.unlock(); // the main thread may stand in at() while it is asked
    std::string stack = stackOf(m_state->mainThread);
    if (stack.empty())
        stack = "  no stack: the kernel says " + kernelState(m_state->mainThreadId) + "\n";
    lock.lock();
    if (m_state->stackIsFresh)
        m_state->beat.stack = std::move(stack);
    return m_state->beat;
}

} // namespace earwright::distributed
