#pragma once

#include "tests/engine/program.h"

namespace earwright::tests {

inline QString lastLine(const QString& run, int rank)
{
    QFile log(QString("%1/logs/rank%2.log").arg(run).arg(rank));
    if (!log.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(log.readAll().trimmed().split('\n').last());
}

/// `earwright train` of two CPU ranks, under way.
class Training final {
public:
    /// `group`: the folder of a control group to run in.
    Training(const RealData& data, const QString& run, const QStringList& more = {},
        const QString& group = {})
        : m_run(run)
    {
        const QStringList words = QStringList { "train", data.recipe,
            "--data_folder=" + data.folder, "--devices", "cpu:2", "--run-dir", run }
            + more;
        if (group.isEmpty())
            m_process.start(earwrightProgram(), words);
        else
            m_process.start("sh",
                QStringList { "-c", "echo $$ > \"$0\"/cgroup.procs && exec \"$@\"", group,
                    earwrightProgram() }
                    + words);
    }
    ~Training()
    {
        if (m_process.state() != QProcess::NotRunning) {
            m_process.kill(); // its ranks end with it
            m_process.waitForFinished();
        }
    }

    /// False where it ended before, or did not get so far in time.
    bool reachesStep(int64_t step, int withinMs = 120000) const
    {
        return QTest::qWaitFor(
                   [&] { return hasEnded() || snapshotOf(m_run).step >= step; }, withinMs)
            && !hasEnded();
    }
    bool reachesPhase(const std::string& phase, int withinMs = 120000) const
    {
        return QTest::qWaitFor(
                   [&] { return hasEnded() || snapshotOf(m_run).phase == phase; }, withinMs)
            && !hasEnded();
    }
    bool hasEnded() const { return m_process.state() == QProcess::NotRunning; }
    /// Its exit code, -1 where it goes on for longer.
    int end(int withinMs = 120000)
    {
        return hasEnded() || m_process.waitForFinished(withinMs) ? m_process.exitCode() : -1;
    }
    pid_t supervisor() const { return static_cast<pid_t>(m_process.processId()); }

private:
    QString m_run;
    QProcess m_process;
};

} // namespace earwright::tests
