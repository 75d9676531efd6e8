#include <QTemporaryDir>

#include "core/run/hold.h"
#include "core/run/queue.h"
#include "tests/engine/program.h"
#include "tests/engine/speech.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <csignal>
#include <fcntl.h>

using namespace earwright::tests;
using earwright::run::Snapshot;
using earwright::run::State;

/// Several runs on one CPU, started by `earwright queue`.
class TstQueueRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void runs_followEachOtherInTheUsersOrderWhateverBecomesOfThem();
    void runsAddedOneByOne_neverShareTheirDevices();
    void stoppedQueue_startsNothing();
    void whatTheQueueCannotDo_isRefused_data();
    void whatTheQueueCannotDo_isRefused();
    void nameThatIsNoUtf8_isListed();
    void capsule_isNeverRun();
    void logThatCannotBeOpened_isNamed();
    void relativePaths_countFromWhereTheRunWasPlanned();

private:
    QString plan(const QString& name) const;
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString root() const { return m_folder.filePath("runs"); }

    QTemporaryDir m_folder;
    RealData m_data;
};

namespace {

/// The runs' names as the queue's file has them.
QStringList waitingIn(const QString& root)
{
    QStringList names;
    const auto queue = earwright::run::readQueue(root.toStdString());
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

Ended runEarwrightIn(const QString& folder, const QStringList& arguments)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(earwrightProgram(), arguments);
    process.waitForFinished(600000);
    return { process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError()) };
}

} // namespace

void TstQueueRun::initTestCase()
{
    QVERIFY2(QFile::exists(earwrightProgram()), "bin/earwright is not built");
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(kNoRealData);
    qputenv("EARWRIGHT_RUNS_DIR", root().toUtf8());
    writeSet(path("a/data"), smallSet(m_data.folder, 40));
}

QString TstQueueRun::plan(const QString& name) const
{
    const QString run = root() + "/" + name;
    const Ended ended
        = runEarwright({ "plan", m_data.recipe, "--data_folder=" + m_data.folder, "--run-dir", run,
            "--devices", "cpu:1", "--number_of_epochs=1", "--optimizer_step_limit=4" });
    if (ended.code != 0)
        qFatal("%s", qPrintable(ended.errors));
    return run;
}

void TstQueueRun::runs_followEachOtherInTheUsersOrderWhateverBecomesOfThem()
{
    QVERIFY(QDir().mkpath(root()));
    QCOMPARE(runEarwright({ "queue", "stop" }).code, 0); // until all are in
    const QString last = plan("last");
    const QString bad = plan("bad");
    const QString first = plan("first");
    QVERIFY(QFile::remove(bad + "/resolved.yaml")); // it cannot even start
    QCOMPARE(runEarwright({ "queue", "add", last, "bad", first }).code, 0);
    QCOMPARE(waitingIn(root()), QStringList({ "last", "bad", "first" }));
    QCOMPARE(runEarwright({ "queue", "add", "bad" }).code, 3);
    QCOMPARE(runEarwright({ "queue", "move", "last", "9" }).code, 0);
    QCOMPARE(runEarwright({ "queue", "move", "first", "1" }).code, 0);
    QCOMPARE(waitingIn(root()), QStringList({ "first", "bad", "last" }));
    const Ended added = runEarwright({ "queue", "add", m_data.recipe,
        "--data_folder=" + m_data.folder, "--devices", "cpu:1", "--optimizer_step_limit=4" });
    QVERIFY2(added.code == 0, qPrintable(added.errors));
    QCOMPARE(waitingIn(root()).size(), 4);
    QCOMPARE(runEarwright({ "queue", "remove", waitingIn(root()).last() }).code, 0);
    QCOMPARE(runEarwright({ "queue", "add", "no such run.yaml" }).code, 1);
    QCOMPARE(stateOf(first), State::Queued);
    const Ended listed = runEarwright({ "queue", "list" });
    QVERIFY2(listed.output.contains("stopped"), qPrintable(listed.output));

    QCOMPARE(runEarwright({ "queue", "start" }).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(lossesOf(first).size() >= 1, 120000);
    // The process that serves the queue is killed; the run goes on, and so does a new process.
    const auto owner = static_cast<pid_t>(earwright::run::queueOwner(root().toStdString()));
    QVERIFY(owner > 0);
    ::kill(owner, SIGKILL);
    QTRY_COMPARE_WITH_TIMEOUT(
        earwright::run::queueOwner(root().toStdString()), int64_t { 0 }, 60000);
    QCOMPARE(runEarwright({ "queue", "start" }).code, 0);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(last), State::Done, 300000);
    QCOMPARE(stateOf(first), State::Done);
    QVERIFY(waitingIn(root()).isEmpty());
    const Snapshot before = snapshotOf(first);
    const Snapshot after = snapshotOf(last);
    QVERIFY(before.lastTime < after.startTime); // one CPU: never two at a time
    QCOMPARE(stateOf(bad), State::Failed); // which its folder says, though it logged nothing
    QVERIFY(QString::fromStdString(snapshotOf(bad).error).contains("resolved.yaml"));
    QTRY_COMPARE_WITH_TIMEOUT(
        earwright::run::queueOwner(root().toStdString()), int64_t { 0 }, 60000);
}

void TstQueueRun::stoppedQueue_startsNothing()
{
    QCOMPARE(runEarwright({ "queue", "stop" }).code, 0);
    const QString run = plan("not yet");
    const QRegularExpression idle("\nnot yet +not started ");
    QVERIFY2(runEarwright({ "runs" }).output.contains(idle),
        qPrintable(runEarwright({ "runs" }).output));
    QCOMPARE(runEarwright({ "queue", "add", run }).code, 0);
    const QRegularExpression waiting("\nnot yet +queued ");
    QVERIFY2(runEarwright({ "runs" }).output.contains(waiting),
        qPrintable(runEarwright({ "runs" }).output));
    QCOMPARE(earwright::run::queueOwner(root().toStdString()), int64_t { 0 });
    QCOMPARE(stateOf(run), State::Queued);
    const Ended other = runEarwright({ "queue", "list", "--runs-dir=" + path("nothing") });
    QVERIFY2(other.output.contains("queue: empty"), qPrintable(other.output));
    QCOMPARE(runEarwright({ "queue", "remove", run }).code, 0);
    QCOMPARE(runEarwright({ "queue", "remove", run }).code, 1);
}

void TstQueueRun::runsAddedOneByOne_neverShareTheirDevices()
{
    QCOMPARE(runEarwright({ "queue", "start" }).code, 0);
    const QString first = plan("held");
    // It has no lock yet, as any that was just started, for longer than a second one takes to add.
    auto held = earwright::run::holdRun({ first.toStdString() }, {});
    QVERIFY(held && ::fcntl(held->fd(), F_SETFD, FD_CLOEXEC) == 0);
    QCOMPARE(runEarwright({ "queue", "add", first }).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(waitingIn(root()).isEmpty(), 60000);
    const Ended added = runEarwright({ "queue", "add", m_data.recipe,
        "--data_folder=" + path("a/data"), "--devices", "cpu:1", "--number_of_epochs=1" });
    QVERIFY2(added.code == 0, qPrintable(added.errors));
    const QStringList second = waitingIn(root());
    QCOMPARE(second.size(), 1);
    QVERIFY(!QTest::qWaitFor([&] { return waitingIn(root()).isEmpty(); }, 2000));
    *held = earwright::Descriptor();
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(root() + "/" + second[0]), State::Done, 300000);
    QVERIFY(snapshotOf(first).lastTime < snapshotOf(root() + "/" + second[0]).startTime);
    QTRY_COMPARE_WITH_TIMEOUT(
        earwright::run::queueOwner(root().toStdString()), int64_t { 0 }, 60000);
}

void TstQueueRun::whatTheQueueCannotDo_isRefused_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("error");
    QTest::newRow("settings of a run")
        << QStringList { "add", "not yet", "--number_of_epochs=7" } << "settings stay as they are";
    QTest::newRow("an option") << QStringList { "list", "--format", "json" } << "--format";
    QTest::newRow("a word") << QStringList { "start", "now" } << "'now'";
    QTest::newRow("no place") << QStringList { "move", "not yet", "2x" } << "which place";
    QTest::newRow("no value") << QStringList { "list", "--runs-dir" } << "needs a value";
}

void TstQueueRun::whatTheQueueCannotDo_isRefused()
{
    QFETCH(const QStringList, words);
    QFETCH(const QString, error);
    QCOMPARE(runEarwright({ "queue", "stop" }).code, 0);
    if (!QFile::exists(root() + "/not yet"))
        plan("not yet");
    const Ended ended = runEarwright(QStringList { "queue" } + words);
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.errors.contains(error), qPrintable(ended.errors));
    QVERIFY(earwright::run::readQueue(root().toStdString())->isStopped);
    QVERIFY(waitingIn(root()).isEmpty());
}

void TstQueueRun::nameThatIsNoUtf8_isListed()
{
    const std::filesystem::path here = path("names").toStdString();
    QVERIFY(std::filesystem::create_directory(here));
    std::filesystem::rename(plan("latin").toStdString(), here / "caf\xe9");
    const Ended listed = runEarwright({ "runs", "--format", "json", "--runs-dir", path("names") });
    std::filesystem::remove_all(here); // Qt could not
    QVERIFY2(listed.code == 0, qPrintable(listed.errors));
    QVERIFY2(
        listed.output.contains(QString("names/caf") + QChar(0xFFFD)), qPrintable(listed.output));
}

void TstQueueRun::capsule_isNeverRun()
{
    const QString run = plan("capsule");
    writeFile(run + "/capsule.json", "{}");
    for (const QStringList& words :
        { QStringList { "resume", run }, QStringList { "queue", "add", run } }) {
        const Ended ended = runEarwright(words);
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.errors.contains("out of a capsule"), qPrintable(ended.errors));
    }
    QCOMPARE(stateOf(run), State::Stopped);
    QVERIFY(waitingIn(root()).isEmpty());
}

void TstQueueRun::logThatCannotBeOpened_isNamed()
{
    const QString run = plan("no logs");
    QVERIFY(QDir().rmdir(run + "/logs"));
    writeFile(run + "/logs", "no folder");
    const Ended ended = runEarwright({ "resume", run });
    QCOMPARE(ended.code, 3);
    QVERIFY2(ended.errors.contains("logs/keeper.log': Not a directory"), qPrintable(ended.errors));
}

void TstQueueRun::relativePaths_countFromWhereTheRunWasPlanned()
{
    const QString elsewhere = path("b");
    QVERIFY(QDir().mkpath(elsewhere));
    const Ended planned = runEarwrightIn(path("a"),
        { "plan", m_data.recipe, "--data_folder=data", "--run-dir", "../relative", "--devices",
            "cpu:1", "--number_of_epochs=1" });
    QVERIFY2(planned.code == 0, qPrintable(planned.errors));
    const Ended trained = runEarwrightIn(elsewhere, { "resume", "../relative" });
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
    writeFile(path("hotwords.txt"), "XYLOPHONE\n");
    const Ended heard = runEarwrightIn(elsewhere,
        { "transcribe", "../relative", "../a/data/test.csv", "--count-hotwords", "../hotwords.txt",
            "--device", "cpu" });
    QVERIFY2(heard.errors.contains("of no training text"), qPrintable(heard.errors));

    // Without its log it is not known to be finished.
    QVERIFY(QDir(path("relative/events")).removeRecursively());
    QFile::remove(path("relative/history.bin"));
    QVERIFY(QDir().rename(path("a"), path("c")));
    const Ended ended = runEarwrightIn(elsewhere, { "resume", "../relative" });
    QVERIFY(QDir().rename(path("c"), path("a")));
    QCOMPARE(ended.code, 3);
    QVERIFY2(ended.errors.contains(path("a")
                 + "', where it was planned, and that folder cannot be "
                   "entered: No such file or directory"),
        qPrintable(ended.errors));
}

EARWRIGHT_TEST(TstQueueRun)
#include "tst_queue_run.moc"
