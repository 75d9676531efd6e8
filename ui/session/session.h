#pragma once

#include "ui/session/engine_thread.h"

#include <map>
#include <memory>
#include <QObject>
#include <QSet>
#include <QStringList>

namespace earwright::ui {

/// The runs the window looks at: an engine for each. GUI thread only.
class Session final : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    /// Watches exactly these runs from now on; those already watched keep their thread and history.
    void watch(const QSet<QString>& runPaths);
    /// Latest snapshot of a watched run, or null.
    SnapshotPtr snapshot(const QString& runPath) const;
    /// How its hotwords were heard in its latest evaluation; null where it counts none.
    HotwordTablePtr hotwords(const QString& runPath) const;

    /// Tells a run's supervisor (run/control.h): "stop" after this step, with a checkpoint; "kill"
    /// at once; "pause", "continue", "checkpoint"; "set-lr" with a value. The answer is
    /// `controlAnswered`.
    void tell(const QString& runPath, const QString& command, double value = 0);

Q_SIGNALS:
    void snapshotChanged(const QString& runPath, const earwright::ui::SnapshotPtr& snapshot);
    void hotwordsChanged(const QString& runPath, const earwright::ui::HotwordTablePtr& hotwords);
    void readFailed(const QString& runPath, const QString& message);
    /// error "" = the supervisor accepted the command.
    void controlAnswered(const QString& runPath, const QString& error);

private:
    void add(const QString& runPath);

    std::map<QString, std::unique_ptr<EngineThread>> m_engines;
};

} // namespace earwright::ui
