#pragma once

#include "core/engine/rank_group.h"
#include "core/run/event_log.h"

#include <atomic>
#include <string>

namespace earwright::engine {

/// What a run is asked for over its control socket and on its terminal, and how much of it its
/// ranks know.
class RunRequests final {
public:
    /// The answer to {"command": "stop" | "kill" | "pause" | "continue" | "checkpoint" | "set-lr" |
    /// "status", "value": …}. Any thread.
    std::string answer(const std::string& request);

    /// Passes on what is new. `terminal`: how often the user has asked there to stop.
    void passOn(int terminal, RankGroup& ranks, run::EventWriter& events);
    /// The ranks are started anew: those before have taken their knowledge along.
    void startAnew();

    bool isEnding() const { return m_stopPassedOn; } ///< the ranks were told to stop, or killed
    bool isKilled() const { return m_killAsked; }

private:
    std::atomic<bool> m_stopAsked { false };
    std::atomic<bool> m_killAsked { false };
    std::atomic<bool> m_pauseAsked { false };
    std::atomic<double> m_rateAsked { 0 }; ///< 0 = none
    std::atomic<int> m_savesAsked { 0 };
    bool m_pausePassedOn = false;
    int m_ratesPassedOn = 0;
    int m_savesPassedOn = 0;
    bool m_stopPassedOn = false;
};

} // namespace earwright::engine
