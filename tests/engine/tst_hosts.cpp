#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "tests/engine/training.h"
#include "tests/registry.h"

#include <memory>
#include <unistd.h>

using namespace earwright::tests;
using earwright::run::Snapshot;

namespace {

/// Two network namespaces with a cable between them: two hosts, as far as the ranks can tell.
class TwoHosts final {
public:
    TwoHosts()
    {
        sh("ip netns add earwright-a && ip netns add earwright-b"
           " && ip link add earwright-va netns earwright-a type veth peer name earwright-vb netns "
           "earwright-b");
        for (const char* host : { "a", "b" })
            sh(QString("ip -n earwright-%1 addr add 10.77.0.%2/24 dev earwright-v%1"
                       " && ip -n earwright-%1 link set earwright-v%1 up && ip -n earwright-%1 "
                       "link set lo up")
                    .arg(host)
                    .arg(host[0] == 'a' ? 1 : 2));
    }
    ~TwoHosts()
    {
        QProcess::execute("sh", { "-c", "ip netns del earwright-a; ip netns del earwright-b" });
    }

    bool areThere() const { return m_works; }
    void cut() { sh("ip -n earwright-b link set earwright-vb down"); }
    void connect() { sh("ip -n earwright-b link set earwright-vb up"); }

private:
    void sh(const QString& command)
    {
        m_works = m_works && QProcess::execute("sh", { "-c", command }) == 0;
    }
    bool m_works = true;
};

QString torchrun()
{
    const QString beside = qEnvironmentVariable("EARWRIGHT_VENV") + "/bin/torchrun";
    return QFile::exists(beside) ? beside : QStandardPaths::findExecutable("torchrun");
}

bool isThere(const QString& launcher)
{
    return launcher == "torchrun" ? !torchrun().isEmpty()
                                  : !QStandardPaths::findExecutable(launcher).isEmpty();
}

/// The words that run a command on a host, under its name.
QStringList onHost(int host)
{
    const QString name = host == 0 ? "earwright-a" : "earwright-b";
    return { "ip", "netns", "exec", name, "unshare", "--uts", "sh", "-c",
        "hostname $0; exec \"$@\"", name };
}

QStringList rank(const QString& run)
{
    return { earwrightProgram(), "rank", run };
}

/// What starts one rank on each host, as one process or one a host, and what they said.
class Launch final {
public:
    Launch(const QString& launcher, const QString& run)
    {
        if (launcher == "mpirun")
            start(mpirun(run));
        else
            for (const int host : { 0, 1 })
                start(onHost(host) + agent(host) + rank(run));
    }
    /// Every one's exit code; -1 of one that does not end.
    std::vector<int> codes(int forMs)
    {
        std::vector<int> codes;
        for (const auto& process : m_processes)
            codes.push_back(process->waitForFinished(forMs) ? process->exitCode() : -1);
        return codes;
    }
    /// torchrun's agents may wait for each other far longer than their ranks live.
    QString end()
    {
        for (const auto& process : m_processes)
            process->terminate();
        codes(60000);
        return said();
    }
    QString said() const
    {
        QString all;
        for (const auto& process : m_processes)
            all += QString::fromUtf8(process->readAll());
        return all;
    }

private:
    static QStringList agent(int host)
    {
        return { torchrun(), "--no-python", "--nnodes", "2", "--nproc-per-node", "1", "--node-rank",
            QString::number(host), "--master-addr", "10.77.0.1", "--master-port", "29577" };
    }
    /// The local ranks are as on two machines: here both are of one.
    static QStringList mpirun(const QString& run)
    {
        QStringList words { "mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to",
            "none" };
        for (const int host : { 0, 1 })
            words += QStringList { "-np", "1" } + onHost(host)
                + QStringList { "env", "OMPI_COMM_WORLD_LOCAL_RANK=0",
                      "OMPI_COMM_WORLD_LOCAL_SIZE=1", "MASTER_ADDR=10.77.0.1", "MASTER_PORT=29578" }
                + rank(run) + (host == 0 ? QStringList { ":" } : QStringList());
        return words;
    }
    void start(const QStringList& words)
    {
        m_processes.push_back(std::make_unique<QProcess>());
        m_processes.back()->setProcessChannelMode(QProcess::MergedChannels);
        m_processes.back()->start(words.first(), words.mid(1));
    }
    std::vector<std::unique_ptr<QProcess>> m_processes;
};

} // namespace

/// Ranks on several hosts, started by torchrun and, where it is installed, mpirun.
class TstHosts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void twoHosts_trainTogether_data() { launchers(); }
    void twoHosts_trainTogether();
    void hostThatIsCutOff_isNamedOnTheOther_data() { launchers(); }
    void hostThatIsCutOff_isNamedOnTheOther();

private:
    static void launchers();
    QString plan(const QString& name, const QStringList& more);

    QTemporaryDir m_folder;
    RealData m_data;
    std::unique_ptr<TwoHosts> m_hosts;
};

void TstHosts::initTestCase()
{
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(kNoRealData);
    if (geteuid() != 0)
        QSKIP("network namespaces cannot be made: run as root");
    m_hosts = std::make_unique<TwoHosts>();
    if (!m_hosts->areThere())
        QSKIP("network namespaces cannot be made here");
}

QString TstHosts::plan(const QString& name, const QStringList& more)
{
    const QString run = m_folder.filePath(name);
    const Ended planned
        = runEarwright(QStringList { "plan", m_data.recipe, "--data_folder=" + m_data.folder,
                           "--devices", "cpu", "--heartbeat_timeout=3", "--run-dir", run }
            + more);
    if (planned.code != 0)
        qWarning("%s", qPrintable(planned.errors));
    return run;
}

void TstHosts::launchers()
{
    QTest::addColumn<QString>("launcher");
    QTest::newRow("torchrun") << "torchrun";
    QTest::newRow("mpirun") << "mpirun";
}

void TstHosts::twoHosts_trainTogether()
{
    QFETCH(QString, launcher);
    if (!isThere(launcher))
        QSKIP(qPrintable("install " + launcher));
    const QString run
        = plan("together " + launcher, { "--number_of_epochs=1", "--optimizer_step_limit=6" });
    Launch launch(launcher, run);
    for (const int code : launch.codes(180000))
        QVERIFY2(code == 0, qPrintable(launch.said()));
    const Snapshot snapshot = snapshotOf(run);
    QCOMPARE(snapshot.state, earwright::run::State::Done);
    QCOMPARE(snapshot.step, 6);
    QVERIFY(QDir(run + "/events/rank1").exists());
}

void TstHosts::hostThatIsCutOff_isNamedOnTheOther()
{
    QFETCH(QString, launcher);
    if (!isThere(launcher))
        QSKIP(qPrintable("install " + launcher));
    m_hosts->connect();
    const QString run = plan("cut " + launcher, {});
    Launch launch(launcher, run);
    QVERIFY(QTest::qWaitFor([&] { return snapshotOf(run).step >= 3; }, 120000));
    m_hosts->cut();
    // Both ranks leave: 3 s without a beat, 2 s to see it, 5 s to go; the rest for a busy machine.
    QVERIFY(QTest::qWaitFor([&] { return ranksOf(run).isEmpty(); }, 3000 + 7000 + 30000));
    // Each side tells what it sees; both blame the host that was cut off.
    const Snapshot snapshot = snapshotOf(run);
    const QString error = QString::fromStdString(snapshot.error);
    QVERIFY2(error.startsWith("rank 1 on earwright-b failed in train at step ")
            && error.contains("cut off from the network"),
        qPrintable(error));
    QString survivor;
    for (const auto& line : snapshot.log) {
        if (line.rank == 0 && line.level == "error")
            survivor = QString::fromStdString(line.text);
    }
    QVERIFY2(
        survivor.contains(QRegularExpression(
            "^rank 1 on earwright-b failed in train at step \\d+: no heartbeat for [\\d.]+ s")),
        qPrintable(survivor));
    QCOMPARE(snapshot.state, earwright::run::State::Failed);
    const QString said = launch.end();
    QVERIFY2(said.contains(
                 QRegularExpression("the run's store at 10\\.77\\.0\\.1:2957\\d has not answered")),
        qPrintable(said));
}

EARWRIGHT_TEST(TstHosts)
#include "tst_hosts.moc"
