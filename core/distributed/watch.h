#pragma once

#include "core/distributed/failure.h"
#include "core/distributed/pulse.h"
#include "core/distributed/rendezvous.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace earwright::distributed {

/// Keys in the run's store, shared with the supervisor.
namespace keys {
inline constexpr const char* kFailure
    = "earwright/failure"; ///< JSON of a Failure; the first to set it wins
inline constexpr const char* kStop
    = "earwright/stop"; ///< set = stop after this step, with a checkpoint
inline constexpr const char* kCheckpoint
    = "earwright/checkpoint"; ///< a counter: save whenever it has grown
inline constexpr const char* kPause
    = "earwright/pause"; ///< "1" = stand still between steps, "0" = go on
inline constexpr const char* kLearningRate
    = "earwright/learning_rate"; ///< "NUMBER RATE": the rate to use from now on, of each number
                                 ///< once
std::string beatOf(int64_t rank); ///< JSON of its latest Beat
} // namespace keys

struct WatchOptions {
    double heartbeatTimeoutSeconds = 30;
    bool observesOthers = false; ///< where no supervisor does
    std::function<bool()> endRequested = [] { return false; }; ///< the launcher wants it to leave
};

/// A rank's eye on the others: threads with a store connection of their own, so they see a failure
/// while the main thread hangs in a collective. They send the rank's beats, and on another rank's
/// failure, or where the store does not answer for the timeout, they call `leave` (which must not
/// return), after a failure within 0.2 s.
class Watch final {
public:
    /// The store must be served already.
    Watch(const Rendezvous& rendezvous, Pulse& pulse, const WatchOptions& options,
        std::function<void(const Failure&)> leave);
    ~Watch();

    // Any thread.
    bool stopRequested() const;
    bool pauseRequested() const;
    bool takeCheckpointRequest(); ///< true once per request
    std::optional<double> takeLearningRate(); ///< once per request

    /// Publishes this rank's failure unless another came first; returns the first one. What may be
    /// an echo (a broken connection mostly is, of somebody else's end) gives another rank 3 s to
    /// say why, and a rank that has been silent since is named in its place; else it is told with
    /// the collective in which this rank waited.
    Failure publish(const std::string& cause, bool mayBeEcho);

    /// From now on a store that is gone is no failure: all ranks are about to end, this one with
    /// `exitCode`.
    void expectEnd(int exitCode);
    /// For the rank that serves the store: until the others have used it for the last time, or have
    /// been silent for the timeout.
    void waitForOthersToEnd();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace earwright::distributed
