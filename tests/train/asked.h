#pragma once

#include "core/train/trainer.h"

#include <atomic>
#include <mutex>
#include <string>

namespace earwright::tests {

/// What a run is asked for, "stop", "checkpoint", "pause" or "set-lr", as soon as one of its ranks
/// has come to a phase and step. Any thread; outlives the run.
class Asked {
public:
    static constexpr double kRate = 0.01; ///< of set-lr
    static constexpr int kPolls = 10; ///< a pause ends when it was looked at so often

    Asked(const std::string& what, const std::string& phase, int64_t step)
        : m_what(what)
        , m_phase(phase)
        , m_step(step)
    {
    }

    train::Requests requests()
    {
        return { .stop = [this] { return isDue("stop"); },
            .checkpoint = [this] { return isDueOnce("checkpoint"); },
            .pause = [this] { return isPaused(); },
            .learningRate
            = [this] { return isDueOnce("set-lr") ? std::optional(kRate) : std::nullopt; },
            .at = [this](const std::string& phase, int64_t step) { at(phase, step); } };
    }
    /// Where training was when its pause ended, "validate 3".
    std::string releasedAt() const { return m_releasedAt; }

private:
    void at(const std::string& phase, int64_t step)
    {
        const std::lock_guard lock(m_mutex);
        m_isDue = m_isDue || (phase == m_phase && step >= m_step);
        m_place = phase + " " + std::to_string(step);
    }
    bool isDue(const std::string& what)
    {
        const std::lock_guard lock(m_mutex);
        return m_isDue && what == m_what;
    }
    bool isDueOnce(const std::string& what) { return isDue(what) && !m_isTaken.exchange(true); }
    bool isPaused()
    {
        if (!isDue("pause"))
            return false;
        const std::lock_guard lock(m_mutex);
        if (m_polls < kPolls && ++m_polls == kPolls)
            m_releasedAt = m_place;
        return m_polls < kPolls;
    }

    const std::string m_what;
    const std::string m_phase;
    const int64_t m_step;
    std::atomic<bool> m_isTaken { false };
    std::mutex m_mutex; ///< Guards all below
    bool m_isDue = false;
    int m_polls = 0;
    std::string m_place;
    std::string m_releasedAt;
};

} // namespace earwright::tests
