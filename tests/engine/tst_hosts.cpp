#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "tests/engine/training.h"

#include <memory>
#include <unistd.h>

using namespace kymo::tests;
using kymo::run::Snapshot;

namespace {

/// Two network namespaces with a cable between them: two hosts, as far as the ranks can tell.
class TwoHosts final {
public:
    TwoHosts()
    {
        sh("ip netns add kymo-a && ip netns add kymo-b"
           " && ip link add kymo-va netns kymo-a type veth peer name kymo-vb netns kymo-b");
        for (const char* host : { "a", "b" })
            sh(QString("ip -n kymo-%1 addr add 10.77.0.%2/24 dev kymo-v%1"
                       " && ip -n kymo-%1 link set kymo-v%1 up && ip -n kymo-%1 link set lo up")
                    .arg(host)
                    .arg(host[0] == 'a' ? 1 : 2));
    }
    ~TwoHosts() { QProcess::execute("sh", { "-c", "ip netns del kymo-a; ip netns del kymo-b" }); }

    bool areThere() const { return m_works; }
    void cut() { sh("ip -n kymo-b link set kymo-vb down"); }

private:
    void sh(const QString& command)
    {
        m_works = m_works && QProcess::execute("sh", { "-c", command }) == 0;
    }
    bool m_works = true;
};

QString torchrun()
{
    const QString beside = qEnvironmentVariable("KYMO_VENV") + "/bin/torchrun";
    return QFile::exists(beside) ? beside : QStandardPaths::findExecutable("torchrun");
}

/// torchrun's agent of one host, with one rank.
void startHost(QProcess& process, int host, const QString& run)
{
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start("ip",
        { "netns", "exec", host == 0 ? "kymo-a" : "kymo-b", "unshare", "--uts", "sh", "-c",
            "hostname $0; exec \"$@\"", host == 0 ? "kymo-a" : "kymo-b", torchrun(), "--no-python",
            "--nnodes", "2", "--nproc-per-node", "1", "--node-rank", QString::number(host),
            "--master-addr", "10.77.0.1", "--master-port", "29577", kymoProgram(), "rank", run });
}

} // namespace

/// Ranks on several hosts, started by torchrun.
class TstHosts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void twoHosts_trainTogether();
    void hostThatIsCutOff_isNamedOnTheOther();

private:
    QString plan(const QString& name, const QStringList& more);

    QTemporaryDir m_folder;
    RealData m_data;
    std::unique_ptr<TwoHosts> m_hosts;
};

void TstHosts::initTestCase()
{
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(
            "neither KYMO_DATA_DIR/fsdd nor the prompts of asterisk-core-sounds-en-wav are there");
    if (torchrun().isEmpty())
        QSKIP("torchrun is not installed");
    if (geteuid() != 0)
        QSKIP("network namespaces need root");
    m_hosts = std::make_unique<TwoHosts>();
    if (!m_hosts->areThere())
        QSKIP("network namespaces cannot be made here");
}

QString TstHosts::plan(const QString& name, const QStringList& more)
{
    const QString run = m_folder.filePath(name);
    const Ended planned
        = runKymo(QStringList { "plan", m_data.recipe, "--data_folder=" + m_data.folder,
                      "--devices", "cpu", "--heartbeat_timeout=3", "--run-dir", run }
            + more);
    if (planned.code != 0)
        qWarning("%s", qPrintable(planned.errors));
    return run;
}

void TstHosts::twoHosts_trainTogether()
{
    const QString run = plan("together", { "--number_of_epochs=1", "--optimizer_step_limit=6" });
    QProcess first;
    QProcess second;
    startHost(first, 0, run);
    startHost(second, 1, run);
    QVERIFY(first.waitForFinished(180000) && second.waitForFinished(30000));
    QVERIFY2(first.exitCode() == 0, first.readAll().constData());
    QCOMPARE(second.exitCode(), 0);
    const Snapshot snapshot = snapshotOf(run);
    QCOMPARE(snapshot.state, kymo::run::State::Done);
    QCOMPARE(snapshot.step, 6);
    QVERIFY(QDir(run + "/events/rank1").exists());
}

void TstHosts::hostThatIsCutOff_isNamedOnTheOther()
{
    const QString run = plan("cut", {});
    QProcess first;
    QProcess second;
    startHost(first, 0, run);
    startHost(second, 1, run);
    QVERIFY(QTest::qWaitFor([&] { return snapshotOf(run).step >= 3; }, 120000));
    m_hosts->cut();
    // Both ranks leave: 3 s without a beat, 2 s to see it, 5 s to go; the rest for a busy machine.
    QVERIFY(QTest::qWaitFor([&] { return ranksOf(run).isEmpty(); }, 3000 + 7000 + 10000));
    // Each side tells what it sees; both blame the host that was cut off.
    const Snapshot snapshot = snapshotOf(run);
    const QString error = QString::fromStdString(snapshot.error);
    QVERIFY2(error.startsWith("rank 1 on kymo-b failed in train at step ")
            && error.contains("cut off from the network"),
        qPrintable(error));
    QString survivor;
    for (const auto& line : snapshot.log) {
        if (line.rank == 0 && line.level == "error")
            survivor = QString::fromStdString(line.text);
    }
    QVERIFY2(survivor.contains(QRegularExpression(
                 "^rank 1 on kymo-b failed in train at step \\d+: no heartbeat for [\\d.]+ s")),
        qPrintable(survivor));
    QCOMPARE(snapshot.state, kymo::run::State::Failed);
    // torchrun's agents may wait for each other far longer.
    first.terminate();
    second.terminate();
    first.waitForFinished(60000);
    second.waitForFinished(60000);
    const QString there = QString::fromUtf8(second.readAll());
    QVERIFY2(
        there.contains("the run's store at 10.77.0.1:29577 has not answered"), qPrintable(there));
}

QTEST_GUILESS_MAIN(TstHosts)
#include "tst_hosts.moc"
