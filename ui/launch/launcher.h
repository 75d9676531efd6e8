#pragma once

#include "ui/launch/run_starter.h"

#include <QObject>
#include <QTimer>
#include <vector>

namespace earwright::ui {

/// Starts runs without making the GUI thread wait, and says so where one leaves without ever having
/// become a run. GUI thread only.
class Launcher final : public QObject {
    Q_OBJECT
public:
    explicit Launcher(QObject* parent = nullptr);

    void train(const LaunchRequest& request, const QString& runsRoot);
    void resume(const QString& runPath, const QStringList& settings = {});
    void changeQueue(const QStringList& arguments); ///< of `earwright`; answered by queueChanged
    void compare(
        const LaunchRequest& request, const QStringList& precisions, const QString& runsRoot);

Q_SIGNALS:
    void started(const earwright::ui::Started& started);
    void failed(const QString& message);
    void queueChanged();
    /// The process has gone. `output` = the end of what it printed, `becameRun` = its sign is
    /// there.
    void left(const earwright::ui::Started& started, const QString& output, bool becameRun);

private:
    void onStarted(const Result<Started>& started);
    void pollProcesses();
    void onGone(const std::vector<Started>& gone);

    std::vector<Started> m_alive;
    bool m_isPolling = false;
    QTimer m_timer;
};

} // namespace earwright::ui
