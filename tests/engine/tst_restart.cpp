#include <QTemporaryDir>

#include "tests/engine/training.h"
#include "tests/registry.h"

#include <csignal>

using namespace earwright::tests;
using earwright::run::Snapshot;

/// `max_restarts` and `min_nproc_per_node` of a plan.
class TstRestart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void killedRank_isStartedAgainFromTheLastCheckpoint();
    void restartsThatAreUsedUp_endTheRun();
    void rankThatFailsTwice_isLeftOut();

private:
    QTemporaryDir m_folder;
    RealData m_data;
};

void TstRestart::initTestCase()
{
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(kNoRealData);
}

void TstRestart::killedRank_isStartedAgainFromTheLastCheckpoint()
{
    const QStringList options { "--number_of_epochs=1", "--optimizer_step_limit=24",
        "--ckpt_interval_steps=4", "--max_restarts=1" };
    const QString whole = m_folder.filePath("whole");
    QCOMPARE(Training(m_data, whole, options).end(), 0);

    const QString run = m_folder.filePath("restarted");
    Training training(m_data, run, options);
    QVERIFY(QTest::qWaitFor([&] { return !snapshotOf(run).checkpoints.empty(); }, 60000));
    ::kill(ranksOf(run).last(), SIGKILL);
    QCOMPARE(training.end(), 0);
    const Snapshot snapshot = snapshotOf(run);
    QCOMPARE(snapshot.state, earwright::run::State::Done);
    QCOMPARE(snapshot.restarts.size(), size_t(1));
    QCOMPARE(snapshot.restarts[0].restart, 1);
    QCOMPARE(snapshot.restarts[0].maxRestarts, 1);
    QCOMPARE(snapshot.restarts[0].rank, 1);
    QVERIFY2(snapshot.restarts[0].error.find("SIGKILL") != std::string::npos,
        snapshot.restarts[0].error.c_str());
    QCOMPARE(snapshot.started.attempt, 1);
    QVERIFY2(snapshot.started.resumedStep >= 4, "it did not go on from a checkpoint");
    QCOMPARE(lossesOf(run), lossesOf(whole));
    QVERIFY(ranksOf(run).isEmpty());
}

void TstRestart::restartsThatAreUsedUp_endTheRun()
{
    const QString run = m_folder.filePath("used up");
    Training training(m_data, run, { "--max_restarts=1" });
    QVERIFY(training.reachesStep(2));
    ::kill(ranksOf(run).last(), SIGKILL);
    QVERIFY(QTest::qWaitFor([&] { return snapshotOf(run).restarts.size() == 1; }, 60000));
    QVERIFY(QTest::qWaitFor([&] { return ranksOf(run).size() == 2; }, 60000));
    ::kill(ranksOf(run).first(), SIGKILL);
    QCOMPARE(training.end(), 3);
    const Snapshot snapshot = snapshotOf(run);
    QCOMPARE(snapshot.restarts.size(), size_t(1));
    QVERIFY2(snapshot.error.starts_with("rank 0 "), snapshot.error.c_str());
    QVERIFY(ranksOf(run).isEmpty());
}

void TstRestart::rankThatFailsTwice_isLeftOut()
{
    const QString run = m_folder.filePath("smaller");
    Training training(m_data, run,
        { "--number_of_epochs=1", "--optimizer_step_limit=32", "--threads_per_rank=1",
            "--max_restarts=2", "--min_nproc_per_node=1" });
    QVERIFY(training.reachesStep(2));
    for (size_t restart = 1; restart <= 2; ++restart) {
        QVERIFY(QTest::qWaitFor([&] { return ranksOf(run).size() == 2; }, 60000));
        ::kill(ranksOf(run).last(), SIGKILL);
        QVERIFY(QTest::qWaitFor([&] { return snapshotOf(run).restarts.size() == restart; }, 60000));
    }
    QCOMPARE(training.end(), 0);
    const Snapshot snapshot = snapshotOf(run);
    QCOMPARE(snapshot.state, earwright::run::State::Done);
    QCOMPARE(snapshot.restarts[0].devices.size(), size_t(2));
    QCOMPARE(snapshot.restarts[1].devices.size(), size_t(1));
    QCOMPARE(snapshot.step, 32);
}

EARWRIGHT_TEST(TstRestart)
#include "tst_restart.moc"
