#include <QRegularExpression>
#include <QTemporaryDir>

#include "tests/engine/fault.h"
#include "tests/engine/speech.h"
#include "tests/registry.h"

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace earwright::tests;
using earwright::run::Snapshot;

namespace {

constexpr double kTimeout = 3; ///< heartbeat_timeout

/// Makes a function of a process of ours begin with a jump to itself. False where nm does not know
/// it, or the memory of another process may not be written here.
bool loopIn(int pid, const QByteArray& symbol)
{
    QProcess nm;
    nm.start("nm", { earwrightProgram() });
    nm.waitForFinished();
    quint64 offset = 0;
    for (const QByteArray& line : nm.readAllStandardOutput().split('\n')) {
        if (line.contains(" T " + symbol))
            offset = line.split(' ').first().toULongLong(nullptr, 16);
    }
    QFile maps(QString("/proc/%1/maps").arg(pid));
    if (offset == 0 || !maps.open(QIODevice::ReadOnly))
        return false;
    const quint64 base = maps.readLine().split('-').first().toULongLong(nullptr, 16);
    const int memory
        = ::open(QString("/proc/%1/mem").arg(pid).toLatin1().constData(), O_RDWR | O_CLOEXEC);
    constexpr unsigned char kJumpToItself[] { 0xEB, 0xFE }; // x86-64
    const bool done = memory >= 0
        && ::pwrite(memory, kJumpToItself, sizeof kJumpToItself, static_cast<off_t>(base + offset))
            == sizeof kJumpToItself;
    ::close(memory);
    return done;
}

} // namespace

/// A rank that dies, stops or hangs is named with its place and cause, in the run and on every
/// rank's last line, and nothing is left running.
class TstFailure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void killedRank_isOnEveryRanksLastLine();
    void rankKilledForMemory_isToldFromOneKilledByHand();
    void stoppedRank_isReportedWithTheKernelsState();
    void hungMainThread_isReportedWithItsStack();
    void endlessLoop_isReportedAfterOneTimeout();
    void killedKeeper_endsTheRunAsFailed();
    void stoppedProcess_holdsUpNobody_data();
    void stoppedProcess_holdsUpNobody();

private:
    QTemporaryDir m_folder;
    RealData m_data;
};

void TstFailure::initTestCase()
{
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(kNoRealData);
}

void TstFailure::killedRank_isOnEveryRanksLastLine()
{
    const QString run = m_folder.filePath("killed");
    Training training(m_data, run, { "--heartbeat_timeout=3" });
    QVERIFY(training.reachesStep(3));
    const QList<int> ranks = ranksOf(run);
    QCOMPARE(ranks.size(), 2);
    const Fault fault;
    ::kill(ranks.last(), SIGKILL);
    QCOMPARE(fault.endsLate(training, run, 0), QString());
    const QString error = QString::fromStdString(snapshotOf(run).error);
    QVERIFY2(error.contains(QRegularExpression(
                 "^rank 1 on \\S+ failed in train at step \\d+: it was killed by SIGKILL")),
        qPrintable(error));
    QCOMPARE(lastLine(run, 0), error);
    QVERIFY(ranksOf(run).isEmpty());
}

void TstFailure::rankKilledForMemory_isToldFromOneKilledByHand()
{
    // A control group (v1, as v2's limit needs the whole machine's set-up) that a second program
    // fills up; the kernel's choice falls on rank 1.
    const QString group = "/sys/fs/cgroup/memory/earwright-" + QString::number(getpid());
    if (!QDir().mkdir(group) || !QFile::exists(group + "/memory.limit_in_bytes"))
        QSKIP("no memory control group (v1) can be made here");
    const auto write = [](const QString& path, const QByteArray& text) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    const auto run = m_folder.filePath("out of memory");
    {
        Training training(m_data, run, {}, group);
        QVERIFY(training.reachesStep(3));
        const QList<int> ranks = ranksOf(run);
        QCOMPARE(ranks.size(), 2);
        for (const int pid : processesOf(run, "keep")
                + QList<int> { static_cast<int>(training.supervisor()), ranks.first() })
            QVERIFY(write(QString("/proc/%1/oom_score_adj").arg(pid), "-1000"));
        QVERIFY(write(QString("/proc/%1/oom_score_adj").arg(ranks.last()), "1000"));
        QFile usage(group + "/memory.usage_in_bytes");
        QVERIFY(usage.open(QIODevice::ReadOnly));
        const qint64 limit = usage.readAll().trimmed().toLongLong() + (qint64(32) << 20);
        QVERIFY(write(group + "/memory.limit_in_bytes", QByteArray::number(limit)));
        const Fault fault;
        QProcess::execute("sh",
            { "-c",
                "echo $$ > " + group
                    + "/cgroup.procs; head -c 100000000 /dev/zero | tail -c 90000000 > "
                      "/dev/null" });
        QCOMPARE(fault.endsLate(training, run, 0), QString());
    }
    QVERIFY(QTest::qWaitFor([&] { return QDir().rmdir(group); }, 60000));
    const QString error = QString::fromStdString(snapshotOf(run).error);
    QVERIFY2(
        error.contains(QRegularExpression("^rank \\d on \\S+ failed in train at step \\d+: it was "
                                          "killed by the kernel for lack of memory")),
        qPrintable(error));
}

void TstFailure::stoppedRank_isReportedWithTheKernelsState()
{
    const QString run = m_folder.filePath("stopped");
    Training training(m_data, run, { "--heartbeat_timeout=3" });
    QVERIFY(training.reachesStep(3));
    const QList<int> ranks = ranksOf(run);
    QCOMPARE(ranks.size(), 2);
    const Fault fault;
    ::kill(ranks.last(), SIGSTOP);
    QCOMPARE(fault.endsLate(training, run, kTimeout), QString());
    const QString error = QString::fromStdString(snapshotOf(run).error);
    QVERIFY2(error.contains(QRegularExpression(
                 "^rank 1 on \\S+ failed in train at step \\d+: no heartbeat for [\\d.]+ s")),
        qPrintable(error));
    QVERIFY2(error.contains("T (stopped)"), qPrintable(error));
    QVERIFY2(error.contains("late for") && error.contains("where rank 0 waits"), qPrintable(error));
    QCOMPARE(lastLine(run, 0), error);
    QVERIFY(ranksOf(run).isEmpty());
}

void TstFailure::hungMainThread_isReportedWithItsStack()
{
    // A file of the validation set becomes a pipe that nobody fills, as on a share that has died.
    const std::vector<QStringList> rows = smallSet(m_data.folder, 4);
    const QString wav = m_folder.filePath("hangs.wav");
    QVERIFY(QFile::copy(rows[1][2], wav));
    std::vector<QStringList> valid = rows;
    valid[1][2] = wav;
    const QString manifest = m_folder.filePath("valid.csv");
    writeRows(manifest, valid);
    const QString run = m_folder.filePath("hung");
    Training training(m_data, run,
        { "--heartbeat_timeout=3", "--valid_csv=" + manifest, "--number_of_epochs=1",
            "--optimizer_step_limit=30" });
    QVERIFY(training.reachesStep(3));
    QVERIFY(QFile::remove(wav));
    QCOMPARE(::mkfifo(wav.toLocal8Bit().constData(), 0600), 0);
    QVERIFY(training.reachesPhase("validate"));
    const Fault fault;
    QCOMPARE(fault.endsLate(training, run, kTimeout), QString());
    const Snapshot snapshot = snapshotOf(run);
    const QString error = QString::fromStdString(snapshot.error);
    QVERIFY2(
        error.contains(QRegularExpression(
            "^rank \\d on \\S+ failed in validate at step \\d+: its main thread has not got on")),
        qPrintable(error));
    QVERIFY2(error.contains("late for the barrier 'evaluated', where rank"), qPrintable(error));
    QVERIFY(std::any_of(snapshot.log.begin(), snapshot.log.end(), [](const auto& line) {
        return line.rank < 0 && line.text.find("stack of rank") != std::string::npos
            && line.text.find("Loader::next") != std::string::npos;
    }));
    QCOMPARE(lastLine(run, 0), error);
    QCOMPARE(lastLine(run, 1), error);
    QVERIFY(ranksOf(run).isEmpty());
}

void TstFailure::endlessLoop_isReportedAfterOneTimeout()
{
    const QString run = m_folder.filePath("loops");
    Training training(m_data, run, { "--heartbeat_timeout=3" });
    QVERIFY(training.reachesStep(3));
    const QList<int> ranks = ranksOf(run);
    QCOMPARE(ranks.size(), 2);
    if (!loopIn(ranks.last(), "_ZN9earwright5model7ctcLoss"))
        QSKIP("nm is not here, or the memory of another process may not be written");
    const Fault fault;
    QCOMPARE(fault.endsLate(training, run, kTimeout), QString());
    const Snapshot snapshot = snapshotOf(run);
    const QString error = QString::fromStdString(snapshot.error);
    QVERIFY2(error.contains(QRegularExpression("^rank 1 on \\S+ failed in train at step \\d+: its "
                                               "main thread has begun no operator of the model")),
        qPrintable(error));
    QVERIFY2(error.contains("where rank 0 waits"), qPrintable(error));
    QVERIFY(std::any_of(snapshot.log.begin(), snapshot.log.end(), [](const auto& line) {
        return line.rank < 0 && line.text.find("ctcLoss") != std::string::npos;
    }));
    QVERIFY(ranksOf(run).isEmpty());
}

void TstFailure::killedKeeper_endsTheRunAsFailed()
{
    const QString run = m_folder.filePath("keeper killed");
    Training training(m_data, run);
    QVERIFY(training.reachesStep(3));
    const pid_t keeper = processesOf(run, "keep").value(0);
    QVERIFY(keeper > 0);
    const Fault fault;
    ::kill(keeper, SIGKILL);
    QCOMPARE(fault.endsLate(training, run, 0), QString());
    const Snapshot snapshot = snapshotOf(run);
    QCOMPARE(snapshot.state, earwright::run::State::Failed);
    QVERIFY2(!snapshot.error.empty(), snapshot.error.c_str());
    QVERIFY2(snapshot.error.find("frame #") == std::string::npos, snapshot.error.c_str());
    QVERIFY(ranksOf(run).isEmpty());
}

/// Neither is needed for a step: the run goes on, and is supervised again later.
void TstFailure::stoppedProcess_holdsUpNobody_data()
{
    QTest::addColumn<QString>("command");
    QTest::newRow("supervisor") << "train";
    QTest::newRow("keeper of the store") << "keep";
}

void TstFailure::stoppedProcess_holdsUpNobody()
{
    QFETCH(QString, command);
    const QString run = m_folder.filePath("stopped " + command);
    Training training(m_data, run, { "--heartbeat_timeout=3" });
    QVERIFY(training.reachesStep(3));
    const pid_t stopped
        = command == "train" ? training.supervisor() : processesOf(run, "keep").value(0);
    QVERIFY(stopped > 0);
    ::kill(stopped, SIGSTOP);
    const int64_t step = snapshotOf(run).step;
    QVERIFY(training.reachesStep(step + 8));
    ::kill(stopped, SIGCONT);
    QCOMPARE(runEarwright({ "stop", run }).code, 0);
    QCOMPARE(training.end(), 130);
    QVERIFY(ranksOf(run).isEmpty());
}

EARWRIGHT_TEST(TstFailure)
#include "tst_failure.moc"
