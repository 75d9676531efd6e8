#pragma once

#include "core/base/result.h"
#include "core/run/run_folder.h"
#include "core/run/snapshot.h"

#include <memory>

namespace earwright::run {

/// Reads a run folder's new events and folds them. One thread at a time; never blocks on the run.
/// Begins with what history.bin holds and folds only what the event files have beyond it; replaces
/// that file when they have grown by an eighth.
class Follower final {
public:
    explicit Follower(RunFolder folder);
    ~Follower();
    Follower(Follower&&) noexcept;
    Follower& operator=(Follower&&) noexcept;

    /// Folds what is new of the supervisor and of every rank, by wall time; true where the snapshot
    /// changed. Its state is observedState(), and it names what of the event files is damaged. One
    /// that cannot be read at all is an Error once; later calls go on with the others.
    Result<bool> poll();
    const Snapshot& snapshot() const;
    uint64_t logBytesRead() const; ///< of the event files, history.bin not counted

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace earwright::run
