#pragma once

#include "core/base/result.h"
#include "core/run/event.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace kymo::run {

/// Appends events to a TensorBoard event file (core/run/FORMAT.md). `write` never blocks the caller on the disk: a thread of its
/// own writes and flushes at most 10 times a second; a full disk loses events, never the training, and is reported by `error()`.
/// Safe from any thread.
class EventWriter {
public:
    /// Creates `folder` and appends to the file `events.out.tfevents.<attempt>` in it (a new file for each attempt).
    static Result<std::unique_ptr<EventWriter>> open(const std::filesystem::path& folder, int64_t attempt);
    virtual ~EventWriter() = default;

    virtual void write(Event event) = 0; ///< stamps wallTime where it is 0
    virtual void flush() = 0; ///< returns when everything written so far is with the operating system
    virtual std::string error() const = 0;
};

/// Reads what was appended since the last call. Torn tail: left for the next call. Bad checksum: an Error naming file and offset.
/// A file written by a newer Kymo: an Error in words. Unknown kinds are skipped.
class EventReader final {
public:
    explicit EventReader(std::filesystem::path folder); ///< follows all event files of one rank's folder, oldest first
    ~EventReader();
    Result<std::vector<Event>> readNew();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace kymo::run
