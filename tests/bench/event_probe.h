#pragma once

#include <algorithm>
#include <cstdio>
#include <QApplication>
#include <QElapsedTimer>
#include <time.h>
#include <vector>

/// Milliseconds, sorted when asked.
class Times final {
public:
    void add(double ms) { m_ms.push_back(ms); }
    double percentile(double share)
    {
        if (m_ms.empty())
            return 0;
        std::sort(m_ms.begin(), m_ms.end());
        const auto last = static_cast<double>(m_ms.size() - 1);
        return m_ms[static_cast<size_t>(share * last + 0.5)];
    }
    size_t count() const { return m_ms.size(); }

    /// The target holds for the percentile `share`.
    void print(const char* what, double share, double targetMs)
    {
        const double ms = percentile(share);
        std::printf("%s n=%zu p50=%.2f p90=%.2f p99=%.2f max=%.2f ms target_p%.0f=%.0f "
                    "ratio=%.2f\n",
            what, count(), percentile(0.5), percentile(0.9), percentile(0.99), percentile(1),
            share * 100, targetMs, targetMs / std::max(ms, 1e-3));
        std::fflush(stdout);
    }

private:
    std::vector<double> m_ms;
};

/// An application that notes how long each turn of its event loop keeps the GUI thread: by the
/// clock on the wall, and by the thread's own, which other programs on the machine cannot stretch.
class ProbedApplication final : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_depth > 0)
            return QApplication::notify(receiver, event);
        const int type = event->type();
        QElapsedTimer timer;
        timer.start();
        const double cpu = threadCpuMs();
        ++m_depth;
        const bool isDone = QApplication::notify(receiver, event);
        --m_depth;
        const double wall = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
        const double busy = threadCpuMs() - cpu;
        m_wall.add(wall);
        m_cpu.add(busy);
        if (busy > m_longest) {
            m_longest = busy;
            m_longestEvent = type;
        }
        return isDone;
    }
    void forget()
    {
        m_wall = {};
        m_cpu = {};
        m_longest = 0;
    }
    Times& wall() { return m_wall; }
    Times& cpu() { return m_cpu; }
    int longestEvent() const { return m_longestEvent; } ///< a QEvent::Type

private:
    static double threadCpuMs()
    {
        timespec now {};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
    }

    int m_depth = 0;
    Times m_wall;
    Times m_cpu;
    double m_longest = 0;
    int m_longestEvent = 0;
};
