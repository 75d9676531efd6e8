#pragma once

#include "core/base/result.h"
#include "core/run/event.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace earwright::run {

/// Appends events to a TensorBoard event file (core/run/FORMAT.md). `write` never blocks the caller
/// on the disk: a thread of its own writes and flushes at most 10 times a second; a full disk loses
/// events, never the training, and is reported by `error()`. Safe from any thread.
class EventWriter final {
public:
    /// Creates `folder` and the file `events.out.tfevents.<attempt, 4 digits>` in it (a new file
    /// for each attempt). Where the file exists, a torn tail is cut off and writing goes on behind
    /// it.
    static Result<std::unique_ptr<EventWriter>> open(
        const std::filesystem::path& folder, int64_t attempt);
    /// Writes what is left; does not wait for a full disk.
    ~EventWriter();

    void write(Event event); ///< stamps wallTime where it is 0
    /// Returns when everything written so far is with the operating system, or was refused by it
    /// (see `error`).
    void flush();
    /// The same, when it is on the disk. For what must not be there before it.
    void sync();
    /// "" while all is well. After a full disk: what failed, and how many events are lost. Events
    /// wait in memory (64 MiB) for space before any is lost.
    std::string error() const;

private:
    struct State;
    explicit EventWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// How far one event file was read.
struct LogPosition {
    std::string file; ///< its name in the folder
    int64_t offset = 0; ///< bytes, behind a whole frame
    std::string tail; ///< the bytes before it in hex: tells another file of the same name apart
};

/// Reads what was appended since the last call. Torn tail: left for the next call. What is damaged:
/// a LogDamage in its place, and reading goes on at the next sound record. A file that cannot be
/// read, or that a newer Earwright wrote: an Error in words. Unknown kinds are skipped. One thread
/// at a time.
class EventReader final {
public:
    explicit EventReader(std::filesystem::path
            folder); ///< follows all event files of one rank's folder, oldest first
    ~EventReader();
    EventReader(EventReader&&) noexcept;
    EventReader& operator=(EventReader&&) noexcept;

    /// The new events of at most about `maxBytes` of the files; empty = nothing is new. A file that
    /// cannot be read is an Error once, after the events before that place were returned; the file
    /// is not read any further, later attempts are.
    Result<std::vector<Event>> readNew(size_t maxBytes = SIZE_MAX);
    /// For when nobody writes any more: the torn tail of the latest file, once.
    std::optional<Event> takeTornTail();

    /// Where the next call goes on in each file; nothing where one is not read any further.
    std::optional<std::vector<LogPosition>> positions() const;
    /// Goes on there. False, and nothing changes, where a file is not what it was.
    bool seek(const std::vector<LogPosition>& positions);
    uint64_t bytesRead() const; ///< of the files, by readNew

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace earwright::run
