#pragma once

#include "core/distributed/failure.h"
#include "core/distributed/pulse.h"

#include <c10/util/intrusive_ptr.h>
#include <chrono>
#include <optional>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

namespace earwright::distributed {

/// A rank as an observer sees it.
struct Observed {
    std::optional<Beat> beat; ///< its last one; none where it has not begun yet
    double silentSeconds = 0; ///< since it was new, or since the end of one that is gone
    bool visible = false; ///< its process was seen on this host
    bool dead = false; ///< its process is not there any more, without a word
    bool gone = false; ///< it has ended in good order, or whoever saw its end judges that
};

/// Which rank hangs, if any, by `timeoutSeconds` (the run option heartbeat_timeout):
/// - its process on this host has died: at once;
/// - no beat for so long: the process is stopped, or its host is cut off;
/// - beats, but its main thread has neither got on nor computed for so long (ten times as long
///   where the process computes or a disk keeps it: a step of a large batch, a large checkpoint)
///   and waits for nobody;
/// - it has a batch in the model, computes and has begun no operator for so long, and all others
///   have waited as long: an endless loop;
/// - all wait for one another, and none has ended within so long, whose end they might not have
///   told of yet. Then it is the one that has come to the fewest collectives.
/// The cause names the collective it is late for and who waits there; the detail holds the stacks.
std::optional<Failure> findHang(const std::vector<Observed>& ranks, double timeoutSeconds);

/// Reads the ranks' beats from the run's store. One thread.
class HangObserver final {
public:
    /// `seesDeaths`: not for the ranks' parent, who learns from their exit how they died.
    HangObserver(c10::intrusive_ptr<c10d::Store> store, int64_t ranks, double timeoutSeconds,
        bool seesDeaths = true);

    /// Called several times within the timeout. A call that comes late (the observer itself was
    /// stopped) gives the ranks their time anew.
    std::optional<Failure> look();
    /// This rank has ended: it is not looked at any more.
    void isGone(int64_t rank) { m_ranks[static_cast<size_t>(rank)].gone = true; }
    /// Its last beat, if there was one.
    const std::optional<Beat>& beatOf(int64_t rank) const
    {
        return m_ranks[static_cast<size_t>(rank)].beat;
    }

private:
    using Clock = std::chrono::steady_clock;
    void read(int64_t rank, Clock::time_point now, bool wasStopped);

    c10::intrusive_ptr<c10d::Store> m_store;
    double m_timeoutSeconds;
    bool m_seesDeaths;
    std::vector<Observed> m_ranks;
    std::vector<Clock::time_point> m_heardOf; ///< when its beat was new
    Clock::time_point m_lastLook;
};

} // namespace earwright::distributed
