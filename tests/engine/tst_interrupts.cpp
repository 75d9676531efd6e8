#include "tests/engine/before_rename.h"
#include "tests/engine/program.h"
#include "tests/registry.h"

#include <csignal>
#include <fcntl.h>
#include <QTemporaryDir>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace earwright::tests;

/// A second Ctrl-C or SIGTERM, where the first cannot be obeyed.
class TstInterrupts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void train_endsItsRanks();
    void trainThatCannotPrint_ends();
    void transcribe_ends();
    void lm_endsItsChild();
    void rankOfALauncher_ends();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_before; ///< the working folder to go back to
};

namespace {

constexpr int kPatienceMs = 60000;

/// A pipe that nobody empties, of the least size.
class FullPipe final {
public:
    FullPipe()
    {
        if (::pipe2(m_ends, O_CLOEXEC) != 0)
            qFatal("no pipe");
        m_size = ::fcntl(m_ends[1], F_SETPIPE_SZ, 4096);
    }
    ~FullPipe()
    {
        for (const int end : m_ends)
            ::close(end);
    }
    void become(QProcess& process, int stream) const
    {
        process.setChildProcessModifier([end = m_ends[1], stream] { ::dup2(end, stream); });
    }
    void fill() const
    {
        const QByteArray bytes(m_size, 'x');
        QCOMPARE(::write(m_ends[1], bytes.constData(), static_cast<size_t>(m_size)), m_size);
    }
    /// No line more fits.
    bool isFull() const
    {
        int count = 0;
        return ::ioctl(m_ends[0], FIONREAD, &count) == 0 && count > m_size - 16;
    }

private:
    int m_ends[2] = {};
    int m_size = 0;
};

pid_t pidOf(const QProcess& process)
{
    return static_cast<pid_t>(process.processId());
}

bool hasHandler(pid_t pid, int signal)
{
    const QByteArray status = bytesOf(QString("/proc/%1/status").arg(pid));
    if (!status.startsWith("Name:\tearwright\n")) // before it is the program, it has this one's
        return false;
    const QByteArray mask = status.mid(status.indexOf("SigCgt:") + 7).trimmed().left(16);
    return (mask.toULongLong(nullptr, 16) >> (signal - 1)) & 1;
}

void verifyEndedBy(QProcess& process, int signal)
{
    QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(kPatienceMs));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    QCOMPARE(process.exitCode(), signal);
}

QList<int> childrenOf(pid_t pid)
{
    QList<int> children;
    for (const QByteArray& child :
        bytesOf(QString("/proc/%1/task/%1/children").arg(pid)).simplified().split(' '))
        if (!child.isEmpty())
            children << child.toInt();
    return children;
}

/// Gone, or dead and not waited for.
bool isGone(int pid)
{
    QFile stat(QString("/proc/%1/stat").arg(pid));
    return !stat.open(QIODevice::ReadOnly) || stat.readAll().contains(") Z ");
}

/// Stops the first child of the process; 0 if the child ends before that.
int stopChild(const QProcess& process)
{
    QList<int> children;
    if (!QTest::qWaitFor(
            [&] { return !(children = childrenOf(pidOf(process))).isEmpty(); }, kPatienceMs))
        return 0;
    const int child = children.first();
    ::kill(child, SIGSTOP);
    const auto isStopped
        = [&] { return bytesOf(QString("/proc/%1/stat").arg(child)).contains(") T "); };
    return QTest::qWaitFor([&] { return isStopped() || isGone(child); }, kPatienceMs) && isStopped()
        ? child
        : 0;
}

} // namespace

void TstInterrupts::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    copyBeforeRename(QDir(m_folder->path()));
    m_before = QDir::currentPath();
    QDir::setCurrent(m_folder->path());
}

void TstInterrupts::cleanup()
{
    QDir::setCurrent(m_before);
}

void TstInterrupts::train_endsItsRanks()
{
    QProcess process;
    process.start(earwrightProgram(),
        { "train", "recipe.yaml", "--devices", "cpu:2", "--run-dir", "endless",
            "--number_of_epochs=100000" });
    QTRY_VERIFY_WITH_TIMEOUT(lossesOf("endless").size() >= 3, kPatienceMs);
    const QList<int> all = processesOf("endless", "(rank|keep)");
    QCOMPARE(all.size(), 3);
    ::kill(ranksOf("endless").first(), SIGSTOP); // so that the first is not obeyed
    ::kill(pidOf(process), SIGINT);
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT(
        (said += process.readAllStandardError()).contains("stopping after this step"), kPatienceMs);
    ::kill(pidOf(process), SIGINT);
    verifyEndedBy(process, SIGINT);
    for (const int pid : all)
        QTRY_VERIFY(isGone(pid));
    QCOMPARE(snapshotOf("endless").state, earwright::run::State::Stopped);
}

/// Whoever reads it has stopped to.
void TstInterrupts::trainThatCannotPrint_ends()
{
    FullPipe pipe;
    pipe.fill();
    QProcess process;
    pipe.become(process, STDERR_FILENO);
    process.start(
        earwrightProgram(), { "train", "recipe.yaml", "--devices", "cpu", "--run-dir", "silent" });
    QTRY_VERIFY_WITH_TIMEOUT(hasHandler(pidOf(process), SIGTERM), kPatienceMs);
    ::kill(pidOf(process), SIGTERM);
    QTRY_VERIFY_WITH_TIMEOUT(!bytesOf(QString("/proc/%1/status").arg(pidOf(process)))
                                  .contains("ShdPnd:\t0000000000004000"),
        kPatienceMs); // else the two would count as one
    ::kill(pidOf(process), SIGTERM);
    verifyEndedBy(process, SIGTERM);
}

void TstInterrupts::transcribe_ends()
{
    QByteArray rows = "ID,wav\n";
    for (int i = 0; i < 3000; ++i)
        rows += QByteArray::number(i) + ",data/u0.wav\n";
    writeFile("long.csv", rows);
    FullPipe pipe;
    QProcess process;
    pipe.become(process, STDOUT_FILENO);
    process.start(earwrightProgram(),
        { "transcribe", "run", "long.csv", "--device", "cpu", "--batch-size", "1" });
    QTRY_VERIFY_WITH_TIMEOUT(pipe.isFull(), kPatienceMs);
    ::kill(pidOf(process), SIGTERM);
    QVERIFY(
        !process.waitForFinished(500)); // it asks for an end after the text that is being written
    ::kill(pidOf(process), SIGTERM);
    verifyEndedBy(process, SIGTERM);
}

void TstInterrupts::lm_endsItsChild()
{
    QByteArray text;
    for (int i = 0; i < 200000; ++i)
        text += "WORD" + QByteArray::number(i % 50000) + " ONE TWO " + QByteArray::number(i) + "\n";
    writeFile("long.txt", text);
    QProcess process;
    int child = 0;
    for (int start = 0; start < 10 && child == 0; ++start) { // a busy machine may come too late
        if (process.state() != QProcess::NotRunning)
            QVERIFY(process.waitForFinished(kPatienceMs));
        process.start(earwrightProgram(), { "lm", "long.txt", "--out", "models.arpa" });
        child = stopChild(process);
    }
    QVERIFY(child != 0);
    QFile::remove("models.arpa");
    ::kill(pidOf(process), SIGTERM);
    QVERIFY(!process.waitForFinished(500));
    ::kill(pidOf(process), SIGTERM);
    verifyEndedBy(process, SIGTERM);
    QTRY_VERIFY(isGone(child));
    QVERIFY(QDir()
                .entryList({ ".earwright-lm*", "models*" }, QDir::AllEntries | QDir::Hidden)
                .isEmpty());
}

/// Where its launcher does not end it: the other rank never comes.
void TstInterrupts::rankOfALauncher_ends()
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : { std::pair { "RANK", "1" }, { "LOCAL_RANK", "1" },
             { "WORLD_SIZE", "2" }, { "MASTER_ADDR", "127.0.0.1" }, { "MASTER_PORT", "1" } })
        environment.insert(name, value);
    process.setProcessEnvironment(environment);
    process.start(earwrightProgram(), { "rank", "planned" });
    QTRY_VERIFY_WITH_TIMEOUT(hasHandler(pidOf(process), SIGINT), kPatienceMs);
    for (int i = 0; i < 100 && !process.waitForFinished(50); ++i)
        ::kill(pidOf(process), SIGINT);
    verifyEndedBy(process, SIGINT);
}

EARWRIGHT_TEST(TstInterrupts)
#include "tst_interrupts.moc"
