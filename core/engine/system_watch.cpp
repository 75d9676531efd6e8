#include "core/engine/system_watch.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace earwright::engine {

namespace {

/// For the thread to leave, which is asleep unless a driver hangs.
constexpr auto kPatience = std::chrono::seconds(1);

} // namespace

struct SystemWatch::State {
    // Constant after construction
    SystemPlaces places;
    std::chrono::milliseconds interval;

    std::mutex mutex; ///< Guards all below
    std::condition_variable changed;
    run::EventWriter* events = nullptr; ///< null = it is over
    SystemSubject subject;
    std::optional<int64_t> step; ///< none = not known yet
    bool hasLeft = false;

    void watch();
    bool waitForInterval(std::unique_lock<std::mutex>& lock);
    void write(const std::map<std::string, double>& figures, int64_t ofStep) const;
};

/// False once it is over.
bool SystemWatch::State::waitForInterval(std::unique_lock<std::mutex>& lock)
{
    return !changed.wait_for(lock, interval, [this] { return events == nullptr; });
}

void SystemWatch::State::write(const std::map<std::string, double>& figures, int64_t ofStep) const
{
    for (const auto& [tag, value] : figures)
        events->write({ .payload = run::Scalar { tag, ofStep, value } });
}

void SystemWatch::State::watch()
{
    SystemFigures figures(places);
    std::unique_lock lock(mutex);
    while (waitForInterval(lock)) {
        const SystemSubject now = subject;
        lock.unlock(); // whoever sets something never waits for a driver
        const std::map<std::string, double> read = figures.read(now, Clock::now());
        lock.lock();
        if (events && step)
            write(read, *step);
    }
    hasLeft = true;
    changed.notify_all();
}

SystemWatch::SystemWatch(
    run::EventWriter& events, const SystemPlaces& places, std::chrono::milliseconds interval)
    : m_state(std::make_shared<State>())
{
    m_state->places = places;
    m_state->interval = interval;
    m_state->events = &events;
    std::thread([state = m_state] { state->watch(); }).detach();
}

SystemWatch::~SystemWatch()
{
    std::unique_lock lock(m_state->mutex);
    m_state->events = nullptr;
    m_state->changed.notify_all();
    m_state->changed.wait_for(lock, kPatience, [this] { return m_state->hasLeft; });
}

void SystemWatch::setSubject(SystemSubject subject)
{
    const std::scoped_lock lock(m_state->mutex);
    m_state->subject = std::move(subject);
}

void SystemWatch::setStep(int64_t step)
{
    const std::scoped_lock lock(m_state->mutex);
    m_state->step = step;
}

} // namespace earwright::engine
