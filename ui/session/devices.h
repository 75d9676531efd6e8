#pragma once

#include "core/check/machine.h"

#include <QObject>
#include <QTimer>

class QProcess;

namespace earwright::ui {

/// What this machine has, asked of `earwright devices --json` without waiting, and how busy its
/// processor is. GUI thread only.
class Devices final : public QObject {
    Q_OBJECT
public:
    explicit Devices(QObject* parent = nullptr);

    /// Before the answer: the processor's cores and no GPU.
    const check::Machine& machine() const { return m_machine; }
    const QString& error() const { return m_error; } ///< why the probe failed, "" else
    double cpuLoad() const
    {
        return m_cpuLoad;
    } ///< 0..1 over the last two seconds; -1 = not known yet

    void probe(); ///< asks (again)

Q_SIGNALS:
    void machineChanged();
    void loadChanged();

private:
    void ask(const QString& program);
    void onFinished(QProcess* process, bool succeeded);
    void sampleLoad();
    void addSample(qint64 busyTicks, qint64 allTicks);

    check::Machine m_machine;
    QString m_error;
    double m_cpuLoad = -1;
    qint64 m_busyTicks = 0;
    qint64 m_allTicks = 0;
    QTimer m_loadTimer;
    QTimer m_probeTimer;
};

} // namespace earwright::ui
