#pragma once

#include "ui/session/engine_thread.h"

#include <map>
#include <memory>
#include <QObject>
#include <QSet>
#include <QStringList>

namespace kymo::ui {

/// The runs the window looks at: one engine thread for each. GUI thread only.
class Session final : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);

    /// Watches exactly these runs from now on; those already watched keep their thread and history.
    void watch(const QSet<QString>& runPaths);
    /// Latest snapshot of a watched run, or null.
    SnapshotPtr snapshot(const QString& runPath) const;

    /// Graceful: the run ends its step and writes a checkpoint. The answer is `controlAnswered`.
    void stop(const QString& runPath);
    /// At once, without a checkpoint.
    void kill(const QString& runPath);

Q_SIGNALS:
    void snapshotChanged(const QString& runPath, const kymo::ui::SnapshotPtr& snapshot);
    void readFailed(const QString& runPath, const QString& message);
    /// error "" = the supervisor accepted the command.
    void controlAnswered(const QString& runPath, const QString& error);

private:
    void add(const QString& runPath);
    void control(const QString& runPath, const char* command);

    std::map<QString, std::unique_ptr<EngineThread>> m_engines;
};

} // namespace kymo::ui
