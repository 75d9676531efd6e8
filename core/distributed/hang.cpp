#include "core/distributed/hang.h"

#include "core/distributed/thread_stack.h"
#include "core/distributed/watch.h"
#include "core/run/run_folder.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace earwright::distributed {

namespace {

/// A process may need so many timeouts to start (libraries over a network, a GPU's context), and
/// one that computes as many for a step.
constexpr double kPatience = 10;

std::string seconds(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", value);
    return text;
}

std::string key(double timeout)
{
    char text[64];
    std::snprintf(text, sizeof text, " (heartbeat_timeout %g s)", timeout);
    return text;
}

bool isStuck(const Beat& beat, double timeout)
{
    return beat.quietSeconds > timeout || beat.stuckSeconds > kPatience * timeout;
}

/// It computes, but begins no operator where it should, and all others have waited for it as long.
bool isInALoop(const std::vector<Observed>& ranks, size_t rank, double timeout)
{
    const auto waits = [timeout](const Observed& other) {
        return other.beat && !other.beat->waitsIn.empty() && other.beat->stuckSeconds > timeout;
    };
    const std::optional<Beat>& mine = ranks[rank].beat;
    if (!mine || mine->idleSeconds <= timeout || mine->quietSeconds > timeout
        || !mine->waitsIn.empty())
        return false;
    for (size_t other = 0; other < ranks.size(); ++other) {
        if (other != rank && !ranks[other].gone && !waits(ranks[other]))
            return false;
    }
    return true;
}

/// Where the others wait: "; late for the all-reduce, where rank 0 and rank 2 wait".
std::string lateFor(const std::vector<Observed>& ranks, size_t culprit)
{
    std::map<std::string, std::string> waiting; // what -> who
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::optional<Beat>& beat = ranks[rank].beat;
        if (rank == culprit || !beat || beat->waitsIn.empty())
            continue;
        std::string& who = waiting[beat->waitsIn];
        who += (who.empty() ? "rank " : ", rank ") + std::to_string(rank);
    }
    std::string text;
    for (const auto& [what, who] : waiting)
        text += (text.empty() ? "; it is late for " : " and ") + what + ", where " + who
            + (who.find(',') == std::string::npos ? " waits" : " wait");
    return text;
}

std::string stacks(const std::vector<Observed>& ranks)
{
    std::string text;
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
        if (ranks[rank].beat && !ranks[rank].beat->stack.empty())
            text += "stack of rank " + std::to_string(rank) + ":\n" + ranks[rank].beat->stack;
    }
    return text;
}

Failure failureOf(const std::vector<Observed>& ranks, size_t culprit, std::string cause)
{
    const Beat beat = ranks[culprit].beat.value_or(Beat { .phase = "start" });
    return { static_cast<int64_t>(culprit), beat.host, beat.phase, beat.step, std::move(cause),
        stacks(ranks) };
}

std::string silence(const Observed& rank, double timeout)
{
    if (!rank.beat)
        return "it has not begun after " + seconds(rank.silentSeconds) + key(timeout);
    const std::string state = rank.visible ? kernelState(rank.beat->pid) : std::string();
    const bool runs = state.starts_with('S') || state.starts_with('R');
    const std::string which = "its process " + std::to_string(rank.beat->pid);
    return "no heartbeat for " + seconds(rank.silentSeconds) + key(timeout) + ": "
        + (state.empty() ? "its process or host is gone, or cut off from the network"
                : runs   ? which + " runs, but is cut off from the network"
                         : "the kernel says of " + which + ": " + state);
}

/// All wait for one another: who is furthest behind, and where each is.
Failure deadlock(const std::vector<Observed>& ranks, double timeout)
{
    size_t behind = ranks.size();
    std::string where;
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
        if (ranks[rank].gone)
            continue;
        if (behind == ranks.size() || ranks[rank].beat->waits < ranks[behind].beat->waits)
            behind = rank;
        where += (where.empty() ? "rank " : ", rank ") + std::to_string(rank) + " in "
            + ranks[rank].beat->waitsIn;
    }
    return failureOf(
        ranks, behind, "no rank gets on" + key(timeout) + ", they wait for one another: " + where);
}

} // namespace

std::optional<Failure> findHang(const std::vector<Observed>& ranks, double timeout)
{
    for (size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i].dead && !ranks[i].gone)
            return failureOf(ranks, i,
                "its process " + std::to_string(ranks[i].beat->pid)
                    + " has died without a word, as from SIGKILL or for lack of memory");
        const double limit = ranks[i].beat ? timeout : kPatience * timeout;
        if (!ranks[i].gone && ranks[i].silentSeconds > limit)
            return failureOf(ranks, i, silence(ranks[i], timeout) + lateFor(ranks, i));
    }
    bool allWait = true;
    bool any = false;
    for (size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i].gone) { // the others may not have told yet that it left them
            allWait = allWait && ranks[i].silentSeconds > timeout;
            continue;
        }
        any = true;
        if (isInALoop(ranks, i, timeout))
            return failureOf(ranks, i,
                "its main thread has begun no operator of the model for "
                    + seconds(ranks[i].beat->idleSeconds) + key(timeout)
                    + " but computes, as in an endless loop" + lateFor(ranks, i));
        const bool stuck = ranks[i].beat && isStuck(*ranks[i].beat, timeout);
        if (stuck && ranks[i].beat->waitsIn.empty())
            return failureOf(ranks, i,
                "its main thread has not got on for " + seconds(ranks[i].beat->stuckSeconds)
                    + key(timeout) + lateFor(ranks, i));
        allWait = allWait && stuck;
    }
    return any && allWait ? std::optional(deadlock(ranks, timeout)) : std::nullopt;
}

HangObserver::HangObserver(
    c10::intrusive_ptr<c10d::Store> store, int64_t ranks, double timeoutSeconds, bool seesDeaths)
    : m_store(std::move(store))
    , m_timeoutSeconds(timeoutSeconds)
    , m_seesDeaths(seesDeaths)
    , m_ranks(static_cast<size_t>(ranks))
    , m_heardOf(m_ranks.size(), Clock::now())
    , m_lastLook(Clock::now())
{
}

void HangObserver::read(int64_t rank, Clock::time_point now, bool wasStopped)
{
    Observed& seen = m_ranks[static_cast<size_t>(rank)];
    Clock::time_point& heard = m_heardOf[static_cast<size_t>(rank)];
    if (seen.gone) {
        seen.silentSeconds = std::chrono::duration<double>(now - heard).count();
        return;
    }
    const std::string name = keys::beatOf(rank);
    std::optional<Beat> beat;
    if (m_store->check({ name }))
        beat = beatFromJson(m_store->get_to_str(name));
    if (wasStopped || (beat && (!seen.beat || beat->count != seen.beat->count)))
        heard = now;
    if (beat)
        seen.beat = std::move(beat);
    seen.gone = seen.gone || (seen.beat && seen.beat->gone);
    // Another container may have our host's name and its own processes: only what was seen counts.
    const bool alive = seen.beat && seen.beat->host == run::hostName()
        && run::processStartTicks(seen.beat->pid) == seen.beat->processStartTicks;
    seen.dead = m_seesDeaths && seen.visible && !alive;
    seen.visible = seen.visible || alive;
    seen.silentSeconds = std::chrono::duration<double>(now - heard).count();
}

std::optional<Failure> HangObserver::look()
{
    const Clock::time_point now = Clock::now();
    const bool wasStopped
        = std::chrono::duration<double>(now - m_lastLook).count() > m_timeoutSeconds / 2;
    m_lastLook = now;
    for (int64_t rank = 0; rank < std::ssize(m_ranks); ++rank)
        read(rank, now, wasStopped);
    return findHang(m_ranks, m_timeoutSeconds);
}

} // namespace earwright::distributed
