#include <QTemporaryDir>

#include "core/run/queue.h"
#include "tests/engine/program.h"

#include <csignal>

using namespace kymo::tests;
using kymo::run::Snapshot;
using kymo::run::State;

/// Several runs on one CPU, started by `kymo queue`.
class TstQueueRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void runs_followEachOtherInTheUsersOrderWhateverBecomesOfThem();
    void stoppedQueue_startsNothing();

private:
    QString plan(const QString& name) const;
    QString root() const { return m_folder.filePath("runs"); }

    QTemporaryDir m_folder;
    RealData m_data;
};

namespace {

/// The runs' names as the queue's file has them.
QStringList waitingIn(const QString& root)
{
    QStringList names;
    const auto queue = kymo::run::readQueue(root.toStdString());
    if (!queue)
        qFatal("%s", queue.error().message.c_str());
    for (const std::string& run : queue->runs)
        names << QString::fromStdString(std::filesystem::path(run).filename().string());
    return names;
}

State stateOf(const QString& run)
{
    return snapshotOf(run).state;
}

} // namespace

void TstQueueRun::initTestCase()
{
    QVERIFY2(QFile::exists(kymoProgram()), "bin/kymo is not built");
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(kNoRealData);
    qputenv("KYMO_RUNS_DIR", root().toUtf8());
}

QString TstQueueRun::plan(const QString& name) const
{
    const QString run = root() + "/" + name;
    const Ended ended
        = runKymo({ "plan", m_data.recipe, "--data_folder=" + m_data.folder, "--run-dir", run,
            "--devices", "cpu:1", "--number_of_epochs=1", "--optimizer_step_limit=4" });
    if (ended.code != 0)
        qFatal("%s", qPrintable(ended.errors));
    return run;
}

void TstQueueRun::runs_followEachOtherInTheUsersOrderWhateverBecomesOfThem()
{
    QVERIFY(QDir().mkpath(root()));
    QCOMPARE(runKymo({ "queue", "stop" }).code, 0); // until all are in
    const QString last = plan("last");
    const QString bad = plan("bad");
    const QString first = plan("first");
    QVERIFY(QFile::remove(bad + "/resolved.yaml")); // it cannot even start
    QCOMPARE(runKymo({ "queue", "add", last, "bad", first }).code, 0);
    QCOMPARE(waitingIn(root()), QStringList({ "last", "bad", "first" }));
    QCOMPARE(runKymo({ "queue", "add", "bad" }).code, 3);
    QCOMPARE(runKymo({ "queue", "move", "last", "9" }).code, 0);
    QCOMPARE(runKymo({ "queue", "move", "first", "1" }).code, 0);
    QCOMPARE(waitingIn(root()), QStringList({ "first", "bad", "last" }));
    const Ended added = runKymo({ "queue", "add", m_data.recipe, "--data_folder=" + m_data.folder,
        "--devices", "cpu:1", "--optimizer_step_limit=4" });
    QVERIFY2(added.code == 0, qPrintable(added.errors));
    QCOMPARE(waitingIn(root()).size(), 4);
    QCOMPARE(runKymo({ "queue", "remove", waitingIn(root()).last() }).code, 0);
    QCOMPARE(runKymo({ "queue", "add", "no such run.yaml" }).code, 1);
    QCOMPARE(stateOf(first), State::Queued);
    const Ended listed = runKymo({ "queue", "list" });
    QVERIFY2(listed.output.contains("stopped"), qPrintable(listed.output));

    QCOMPARE(runKymo({ "queue", "start" }).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(lossesOf(first).size() >= 1, 120000);
    // The process that serves the queue is killed; the run goes on, and so does a new process.
    const auto owner = static_cast<pid_t>(kymo::run::queueOwner(root().toStdString()));
    QVERIFY(owner > 0);
    ::kill(owner, SIGKILL);
    QTRY_COMPARE_WITH_TIMEOUT(kymo::run::queueOwner(root().toStdString()), int64_t { 0 }, 60000);
    QCOMPARE(runKymo({ "queue", "start" }).code, 0);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(last), State::Done, 300000);
    QCOMPARE(stateOf(first), State::Done);
    QVERIFY(waitingIn(root()).isEmpty());
    const Snapshot before = snapshotOf(first);
    const Snapshot after = snapshotOf(last);
    QVERIFY(before.lastTime < after.startTime); // one CPU: never two at a time
    QCOMPARE(stateOf(bad), State::Failed); // which its folder says, though it logged nothing
    QVERIFY(QString::fromStdString(snapshotOf(bad).error).contains("resolved.yaml"));
    QTRY_COMPARE_WITH_TIMEOUT(kymo::run::queueOwner(root().toStdString()), int64_t { 0 }, 60000);
}

void TstQueueRun::stoppedQueue_startsNothing()
{
    QCOMPARE(runKymo({ "queue", "stop" }).code, 0);
    const QString run = plan("not yet");
    const QRegularExpression idle("\nnot yet +not started ");
    QVERIFY2(runKymo({ "runs" }).output.contains(idle), qPrintable(runKymo({ "runs" }).output));
    QCOMPARE(runKymo({ "queue", "add", run }).code, 0);
    const QRegularExpression waiting("\nnot yet +queued ");
    QVERIFY2(runKymo({ "runs" }).output.contains(waiting), qPrintable(runKymo({ "runs" }).output));
    QCOMPARE(kymo::run::queueOwner(root().toStdString()), int64_t { 0 });
    QCOMPARE(stateOf(run), State::Queued);
    QCOMPARE(runKymo({ "queue", "remove", run }).code, 0);
    QCOMPARE(runKymo({ "queue", "remove", run }).code, 1);
}

QTEST_GUILESS_MAIN(TstQueueRun)
#include "tst_queue_run.moc"
