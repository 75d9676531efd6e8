#pragma once

#include "core/run/snapshot.h"
#include "ui/monitor/hotword_table.h"

#include <atomic>
#include <memory>
#include <QObject>
#include <QSemaphore>
#include <QString>
#include <QThread>

namespace earwright::ui {

using SnapshotPtr = std::shared_ptr<const run::Snapshot>;

class EnginePool;

/// Tails one run folder in another thread and hands snapshots to the GUI thread; the run itself is
/// another process and does not notice. Of a few runs each has a thread of its own, so that none
/// waits for another's disk; thousands share 16. Public functions and signals: GUI thread only.
class EngineThread final : public QObject {
    Q_OBJECT
public:
    explicit EngineThread(const QString& runPath, QObject* parent = nullptr);
    ~EngineThread() override; ///< waits for the poll in progress; the run goes on
    /// No poll begins any more. Of several that are to go, first stop all: else each waits for
    /// polls of the others.
    void stop();
    /// Deletes it once the poll in progress is over, without waiting. The owner deletes it where it
    /// goes before that.
    static void end(std::unique_ptr<EngineThread> engine, QObject* owner);

    const QString& runPath() const { return m_runPath; }
    const SnapshotPtr& snapshot() const { return m_snapshot; } ///< null before the first poll
    /// How the run's hotwords were heard in its latest evaluation; null where none are counted.
    const HotwordTablePtr& hotwords() const { return m_hotwords; }

Q_SIGNALS:
    void snapshotChanged(const QString& runPath, const earwright::ui::SnapshotPtr& snapshot);
    void hotwordsChanged(const QString& runPath, const earwright::ui::HotwordTablePtr& hotwords);
    /// The run folder cannot be read: said once for each cause.
    void readFailed(const QString& runPath, const QString& message);

private:
    // Constant after construction.
    const QString m_runPath;
    std::shared_ptr<EnginePool> m_pool; ///< goes with the last engine
    QThread* m_thread;
    std::shared_ptr<QSemaphore> m_gone; ///< available once the tail is no more
    QObject* m_tail; ///< lives in m_thread
    // GUI thread only.
    SnapshotPtr m_snapshot;
    HotwordTablePtr m_hotwords;
    // Both threads: a snapshot is under way to the GUI thread, so the worker waits with the next.
    std::atomic<bool> m_delivering = false;
    // Both threads: a poll that waits for its turn is skipped.
    std::atomic<bool> m_isStopped = false;
};

/// Sends a command (run/control.h: "stop", "set-lr" with a value, …) to a run's supervisor and
/// waits for its answer: not in the GUI thread. "" = accepted.
QString sendToSupervisor(const QString& runPath, const QString& command, double value = 0);

} // namespace earwright::ui

Q_DECLARE_METATYPE(earwright::ui::SnapshotPtr)
Q_DECLARE_METATYPE(earwright::ui::HotwordTablePtr)
