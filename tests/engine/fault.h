#pragma once

#include "tests/engine/training.h"

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>

namespace earwright::tests {

/// How much slower than alone a thread gets on here, at worst since this began: the time that a
/// short computation took over the time that the kernel gave it.
class LoadMeter final {
public:
    LoadMeter()
        : m_thread([this] { measure(); })
    {
    }
    ~LoadMeter()
    {
        m_isOver = true;
        m_thread.join();
    }
    LoadMeter(const LoadMeter&) = delete;
    LoadMeter& operator=(const LoadMeter&) = delete;
    double worst() const { return m_worst; }

private:
    static double seconds(clockid_t clock)
    {
        timespec now {};
        clock_gettime(clock, &now);
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    }

    void measure()
    {
        constexpr double kComputing = 0.02;
        while (!m_isOver) {
            const double begin = seconds(CLOCK_MONOTONIC);
            const double used = seconds(CLOCK_THREAD_CPUTIME_ID);
            while (seconds(CLOCK_THREAD_CPUTIME_ID) - used < kComputing) { }
            const double took = seconds(CLOCK_MONOTONIC) - begin;
            m_worst = std::max(m_worst.load(), took / kComputing);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }

    std::atomic<bool> m_isOver { false };
    std::atomic<double> m_worst { 1 };
    std::thread m_thread;
};

/// Something is done to a run at the moment when this is made.
class Fault final {
public:
    /// Waits for the run's end and says what came too late, "" where nothing did: by the times of
    /// the events the ranks that are left tell of it within 2 s, after `silence` seconds where it
    /// first has to be missed, and within 5 s more the run has ended. On a machine that is busy
    /// with other things as much later as it is slower.
    QString endsLate(Training& training, const QString& run, double silence) const
    {
        const int exitCode = training.end();
        const double ended = now() - m_time;
        const double load = m_load.worst();
        double told = ended;
        for (const run::LogLine& line : snapshotOf(run).log) {
            if (line.rank >= 0 && line.level == "error")
                told = std::min(told, line.wallTime - m_time);
        }
        const QString times
            = QString("told after %1 s, ended after %2 s, %3 times slower than alone; exit code %4")
                  .arg(told)
                  .arg(ended)
                  .arg(load)
                  .arg(exitCode);
        const bool inTime = told <= silence + 2 * load && ended <= told + 5 * load;
        return inTime && exitCode == 3 ? QString() : times;
    }

private:
    static double now()
    {
        const auto time = std::chrono::system_clock::now().time_since_epoch();
        return std::chrono::duration<double>(time).count();
    }

    const double m_time = now();
    const LoadMeter m_load;
};

} // namespace earwright::tests
