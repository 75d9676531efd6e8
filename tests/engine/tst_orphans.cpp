#include <QTemporaryDir>

#include "tests/engine/program.h"
#include "tests/registry.h"

#include <algorithm>
#include <csignal>

using namespace earwright::tests;

/// What becomes of a run whose supervisor is killed, or one of whose processes outlives its work.
class TstOrphans : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void killedSupervisor_leavesACheckpointToGoOnFrom();
    void killedSupervisorOfAStoppedRank_leavesNothingRunning();
    void rankThatDoesNotEnd_isKilledAndTheRunIsDone();

private:
    /// At 300 s no silence ends a rank, but the keeper alone.
    QStringList train(const QString& run, int heartbeatTimeout = 300) const
    {
        return { "train", m_data.recipe, "--data_folder=" + m_data.folder, "--run-dir", run,
            "--devices", "cpu:2", "--number_of_epochs=1", "--optimizer_step_limit=24",
            QString("--heartbeat_timeout=%1").arg(heartbeatTimeout) };
    }
    QTemporaryDir m_folder;
    RealData m_data;
};

namespace {

constexpr int kLeaveMs = 30000; ///< 5 s where the machine is idle

/// Of the ranks of a run and of what keeps them together.
QList<int> processesOf(const QString& run)
{
    return earwright::tests::processesOf(run, "(rank|keep)");
}

QString shownState(const QString& run)
{
    return QString::fromStdString(earwright::run::stateName(snapshotOf(run).state));
}

} // namespace

void TstOrphans::initTestCase()
{
    QVERIFY2(QFile::exists(earwrightProgram()), "bin/earwright is not built");
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(kNoRealData);
}

void TstOrphans::killedSupervisor_leavesACheckpointToGoOnFrom()
{
    const QString run = m_folder.filePath("killed");
    QProcess process;
    process.start(earwrightProgram(), train(run));
    QTRY_VERIFY_WITH_TIMEOUT(lossesOf(run).size() >= 3, 120000);
    QCOMPARE(processesOf(run).size(), 3);
    const QByteArray store = variableOf(ranksOf(run).value(0), "EARWRIGHT_STORE");
    QVERIFY(QFile::exists(store));
    ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(processesOf(run).isEmpty(), kLeaveMs);
    QVERIFY(!QFile::exists(store));
    process.waitForFinished();
    QCOMPARE(shownState(run), QString("interrupted"));
    QCOMPARE(QDir(run + "/checkpoints").entryList({ "step-*" }).size(), 1);
    const auto before = lossesOf(run);
    QVERIFY(before.size() < 24);

    QCOMPARE(runEarwright({ "resume", run }).code, 0);
    QCOMPARE(shownState(run), QString("done"));
    const auto after = lossesOf(run);
    QCOMPARE(after.size(), size_t { 24 });
    for (const auto& [step, loss] : before)
        QCOMPARE(after.at(step), loss); // no step was done twice
    QCOMPARE(snapshotOf(run).started.resumedStep, static_cast<int64_t>(before.size()));
    const QString whole = m_folder.filePath("whole");
    QCOMPARE(runEarwright(train(whole)).code, 0);
    QCOMPARE(after, lossesOf(whole));
}

/// It cannot save: its part of the checkpoint is missing.
void TstOrphans::killedSupervisorOfAStoppedRank_leavesNothingRunning()
{
    const QString run = m_folder.filePath("stopped rank");
    QProcess process;
    process.start(earwrightProgram(), train(run));
    QTRY_VERIFY_WITH_TIMEOUT(lossesOf(run).size() >= 3, 120000);
    const int rank = ranksOf(run).value(1);
    QVERIFY(rank > 0);
    ::kill(rank, SIGSTOP);
    ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(processesOf(run).isEmpty(), kLeaveMs);
    QCOMPARE(shownState(run), QString("interrupted"));
    process.waitForFinished();
}

void TstOrphans::rankThatDoesNotEnd_isKilledAndTheRunIsDone()
{
    const QString run = m_folder.filePath("lingers");
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LD_PRELOAD", EARWRIGHT_LINGERING_RANK_LIBRARY);
    process.setProcessEnvironment(environment);
    process.start(earwrightProgram(), train(run, 3));
    QVERIFY2(process.waitForFinished(180000), "it waits for the rank for ever");
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(processesOf(run).isEmpty());
    const earwright::run::Snapshot snapshot = snapshotOf(run);
    QCOMPARE(snapshot.state, earwright::run::State::Done);
    QVERIFY(std::any_of(snapshot.log.begin(), snapshot.log.end(), [](const auto& line) {
        return line.level == "warning"
            && line.text.starts_with("rank 1 had done its work, but its process did not end: the "
                                     "kernel says of it S");
    }));
}

EARWRIGHT_TEST(TstOrphans)
#include "tst_orphans.moc"
