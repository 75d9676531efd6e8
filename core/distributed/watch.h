#pragma once

#include "core/base/result.h"
#include "core/distributed/rendezvous.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace kymo::distributed {

/// The first thing that went wrong in a run.
struct Failure {
    int64_t rank = -1; ///< -1 = the supervisor
    std::string host;
    std::string phase;
    int64_t step = 0;
    std::string cause;
};

std::string failureToJson(const Failure& failure);
std::optional<Failure> failureFromJson(const std::string& json);
/// "rank 1 on host-a failed in train at step 12: …".
std::string describe(const Failure& failure);

/// Keys in the run's store, shared with the supervisor.
namespace keys {
inline constexpr const char* kFailure
    = "kymo/failure"; ///< JSON of a Failure; the first to set it wins
inline constexpr const char* kStop = "kymo/stop"; ///< set = stop after this step, with a checkpoint
inline constexpr const char* kCheckpoint
    = "kymo/checkpoint"; ///< a counter: save whenever it has grown
}

/// A rank's eye on the others: a thread with a store connection of its own, so it sees a failure
/// while the main thread hangs in a collective. On another rank's failure it calls `leave` (which
/// must not return) within 0.2 s.
class Watch final {
public:
    Watch(const Rendezvous& rendezvous, std::function<void(const Failure&)> leave);
    ~Watch();

    /// Any thread.
    void at(const std::string& phase, int64_t step);
    bool stopRequested() const;
    bool takeCheckpointRequest(); ///< true once per request

    /// Publishes this rank's failure unless another came first; returns the first one. Where
    /// `waitForOthers`, another rank gets 3 s to say why before this one does: a broken connection
    /// is mostly the echo of somebody else's end.
    Failure publish(const std::string& cause, bool waitForOthers);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace kymo::distributed
