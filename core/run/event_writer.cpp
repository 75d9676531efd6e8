#include "core/run/event_log.h"

#include "core/base/clock.h"
#include "core/base/descriptor.h"
#include "core/run/event_codec.h"
#include "core/run/record.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace earwright::run {
namespace {

constexpr auto kFlushInterval = std::chrono::milliseconds(100);
constexpr size_t kMaxPendingBytes = 64u << 20;
constexpr size_t kMaxQueuedEvents = 1u
    << 20; ///< while one write hangs, for instance on a network that is gone

double now()
{
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// Bytes of a file without the torn frame at its end. What is damaged stays: readers pass over it.
Result<size_t> untornLength(int fd, size_t size, const std::filesystem::path& path)
{
    std::string bytes(size, '\0');
    size_t got = 0;
    for (ssize_t count = 1; got < size && count > 0; got += static_cast<size_t>(count)) {
        count = ::pread(fd, bytes.data() + got, size - got, static_cast<off_t>(got));
        if (count < 0)
            return Error { "cannot read '" + path.string() + "': " + systemError() };
    }
    const auto rest = std::string_view(bytes).substr(0, got);
    for (size_t offset = 0;;) {
        const Record record = readRecord(rest.substr(offset));
        if (record.kind == Record::Kind::Complete) {
            offset += record.frameBytes;
            continue;
        }
        const size_t next = findRecord(rest.substr(std::min(offset + 1, got)));
        if (next == std::string_view::npos)
            return record.kind == Record::Kind::Torn ? offset : got;
        offset += 1 + next;
    }
}

/// The frames of an event. Where a run goes on from an earlier step TensorBoard is told so before:
/// it draws what an attempt before this one logged from there on no longer.
void appendFrames(std::string& frames, const Event& event)
{
    const auto* started = std::get_if<RunStarted>(&event.payload);
    if (started && started->attempt > 0)
        appendRecord(frames, encodeSessionStart(event.wallTime, started->resumedStep + 1));
    appendRecord(frames, encodeEvent(event));
}

} // namespace

struct EventWriter::State {
    // Constant after construction.
    std::filesystem::path path;
    Descriptor file;

    // The writer's thread only.
    std::string pending; ///< frames, perhaps from within one, that the disk has not taken yet

    // Guards all below.
    mutable std::mutex mutex;
    std::condition_variable wake; ///< for the writer: an event, a flush or the end
    std::condition_variable written; ///< for those who flush
    std::vector<Event> queue;
    uint64_t requested = 0; ///< calls of flush()
    uint64_t served = 0; ///< those the latest burst answered
    uint64_t lost = 0; ///< events
    bool retry = false; ///< `pending` waits for space
    bool ending = false;
    std::string failure; ///< of the last write, "" where it went well

    std::thread thread; ///< last: it uses all of the above

    void run();
    void takeBurst(std::unique_lock<std::mutex>& lock);
    std::string writePending();
    bool isUrgent() const { return ending || served < requested; }
};

void EventWriter::State::run()
{
    std::unique_lock lock(mutex);
    Clock::time_point next = Clock::now();
    for (;;) {
        if (retry)
            wake.wait_until(lock, next, [&] { return isUrgent(); });
        else
            wake.wait(lock, [&] { return isUrgent() || !queue.empty(); });
        wake.wait_until(lock, next, [&] { return isUrgent(); });
        const bool last = ending;
        takeBurst(lock);
        next = Clock::now() + kFlushInterval;
        if (last)
            return;
    }
}

/// Encodes and writes what is queued; the mutex is free meanwhile.
void EventWriter::State::takeBurst(std::unique_lock<std::mutex>& lock)
{
    std::vector<Event> burst;
    burst.swap(queue);
    const uint64_t request = requested;
    lock.unlock();
    uint64_t dropped = 0;
    for (const Event& event : burst) {
        if (pending.size() < kMaxPendingBytes)
            appendFrames(pending, event);
        else
            ++dropped;
    }
    std::string problem = writePending();
    lock.lock();
    failure = std::move(problem);
    retry = !pending.empty();
    lost += dropped;
    served = request;
    written.notify_all();
}

/// A part of a frame may go out before the disk is full: the rest follows when there is space, so
/// frames stay whole.
std::string EventWriter::State::writePending()
{
    size_t done = 0;
    std::string problem;
    while (done < pending.size() && problem.empty()) {
        const ssize_t count = ::write(file.fd(), pending.data() + done, pending.size() - done);
        if (count >= 0)
            done += static_cast<size_t>(count);
        else if (errno != EINTR)
            problem = systemError();
    }
    pending.erase(0, done);
    return problem;
}

EventWriter::EventWriter(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
    m_state->thread = std::thread([s = m_state.get()] { s->run(); });
}

Result<std::unique_ptr<EventWriter>> EventWriter::open(
    const std::filesystem::path& folder, int64_t attempt)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return Error { "cannot create the folder '" + folder.string() + "': " + error.message() };
    auto state = std::make_unique<State>();
    state->path = folder / eventFileName(attempt);
    state->file
        = Descriptor(::open(state->path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    struct stat status { };
    if (!state->file || ::fstat(state->file.fd(), &status) != 0)
        return Error { "cannot write '" + state->path.string() + "': " + systemError() };
    const Result<size_t> untorn
        = untornLength(state->file.fd(), static_cast<size_t>(status.st_size), state->path);
    if (!untorn)
        return untorn.error();
    if (*untorn < static_cast<size_t>(status.st_size)
        && ::ftruncate(state->file.fd(), static_cast<off_t>(*untorn)) != 0)
        return Error { "cannot cut the torn end off '" + state->path.string()
            + "': " + systemError() };
    if (*untorn == 0) {
        appendRecord(state->pending, encodeHeader(now()));
        state->retry = true;
    }
    return std::unique_ptr<EventWriter>(new EventWriter(std::move(state)));
}

EventWriter::~EventWriter()
{
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->ending = true;
    }
    m_state->wake.notify_one();
    m_state->thread.join();
}

void EventWriter::write(Event event)
{
    if (event.wallTime == 0)
        event.wallTime = now();
    bool first = false;
    {
        const std::lock_guard lock(m_state->mutex);
        if (m_state->queue.size() >= kMaxQueuedEvents) {
            ++m_state->lost;
            return;
        }
        first = m_state->queue.empty();
        m_state->queue.push_back(std::move(event));
    }
    if (first)
        m_state->wake.notify_one();
}

void EventWriter::flush()
{
    if (std::this_thread::get_id() == m_state->thread.get_id())
        return; // last words of the thread that writes: it would wait for itself
    std::unique_lock lock(m_state->mutex);
    const uint64_t request = ++m_state->requested;
    m_state->wake.notify_one();
    m_state->written.wait(lock, [&] { return m_state->served >= request; });
}

void EventWriter::sync()
{
    flush();
    ::fdatasync(m_state->file.fd());
}

std::string EventWriter::error() const
{
    const std::lock_guard lock(m_state->mutex);
    if (m_state->failure.empty() && m_state->lost == 0)
        return {};
    std::string text = m_state->failure.empty()
        ? "'" + m_state->path.string() + "' is being written again"
        : "cannot write '" + m_state->path.string() + "': " + m_state->failure;
    if (m_state->lost > 0)
        text += "; " + std::to_string(m_state->lost) + " events are lost";
    return text;
}

} // namespace earwright::run
