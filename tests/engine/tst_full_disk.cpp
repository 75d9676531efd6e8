#include <QStorageInfo>
#include <QTemporaryDir>

#include "tests/engine/program.h"
#include "tests/registry.h"

using namespace earwright::tests;
using earwright::run::Snapshot;
using earwright::run::State;

/// A training whose disk fills up.
class TstFullDisk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void fullDisk_stopsTheRunInWordsAndLeavesTheLastCheckpoint_data();
    void fullDisk_stopsTheRunInWordsAndLeavesTheLastCheckpoint();

private:
    QTemporaryDir m_folder;
    RealData m_data;
};

namespace {

constexpr int kDiskMiB = 48;
/// Fewer than an epoch of the prompts has: its validation would keep one more checkpoint.
constexpr int64_t kWantedSteps = 24;

/// Appends until so many bytes are left.
void fill(const QString& path, qint64 left)
{
    QFile file(path);
    if (!file.open(QIODevice::Append | QIODevice::Unbuffered))
        qFatal("cannot write %s", qPrintable(path));
    const QByteArray block(4096, 'x');
    for (QStorageInfo disk(path); disk.bytesAvailable() > left; disk.refresh()) {
        if (file.write(block) != block.size())
            return;
    }
}

/// Of the newest checkpoint; 0 where it is gone already.
qint64 checkpointBytes(const QString& run)
{
    const Snapshot snapshot = snapshotOf(run);
    if (snapshot.checkpoints.empty())
        return 0;
    const QDir folder(run + '/' + QString::fromStdString(snapshot.checkpoints.back().path));
    qint64 bytes = 0;
    for (const QFileInfo& file : folder.entryInfoList(QDir::Files))
        bytes += file.size();
    return bytes;
}

QStringList checkpointsOf(const QString& run)
{
    return QDir(run + "/checkpoints").entryList({ "step-*" });
}

} // namespace

void TstFullDisk::initTestCase()
{
    QVERIFY2(QFile::exists(earwrightProgram()), "bin/earwright is not built");
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(kNoRealData);
}

void TstFullDisk::cleanup()
{
    QProcess::execute("umount", { "-l", m_folder.filePath("disk") });
}

void TstFullDisk::fullDisk_stopsTheRunInWordsAndLeavesTheLastCheckpoint_data()
{
    QTest::addColumn<double>("left"); // of a checkpoint's size
    QTest::newRow("half a checkpoint fits") << 0.5;
    QTest::newRow("nothing fits") << 0.0;
}

void TstFullDisk::fullDisk_stopsTheRunInWordsAndLeavesTheLastCheckpoint()
{
    QFETCH(const double, left);
    const QString disk = m_folder.filePath("disk");
    QVERIFY(QDir().mkpath(disk));
    if (QProcess::execute("mount",
            { "-t", "tmpfs", "-o", QString("size=%1m").arg(kDiskMiB), "earwright-test", disk })
        != 0)
        QSKIP("a small disk cannot be mounted: run as root");
    const QString run = disk + "/run";
    QProcess process;
    process.start(earwrightProgram(),
        { "train", m_data.recipe, "--data_folder=" + m_data.folder, "--run-dir", run, "--devices",
            "cpu:2", "--number_of_epochs=1",
            "--optimizer_step_limit=" + QString::number(kWantedSteps), "--ckpt_interval_steps=3" });
    qint64 size = 0;
    QTRY_VERIFY_WITH_TIMEOUT((size = checkpointBytes(run)) > 0, 120000);
    // Again and again, as a checkpoint that is pruned makes room.
    do
        fill(disk + "/filler", static_cast<qint64>(left * static_cast<double>(size)));
    while (!process.waitForFinished(20) && process.state() == QProcess::Running);
    const QString said = QString::fromUtf8(process.readAllStandardError());
    QCOMPARE(process.exitCode(), 3);
    QVERIFY2(said.contains("was not saved") && said.contains("No space left on device"),
        qPrintable(said));
    const Snapshot failed = snapshotOf(run);
    QCOMPARE(failed.state, State::Failed);
    QVERIFY2(
        failed.error.find("No space left on device") != std::string::npos, failed.error.c_str());
    QVERIFY(checkpointsOf(run).size() >= 1);
    QVERIFY2(
        checkpointsOf(run).filter("partial").isEmpty(), qPrintable(checkpointsOf(run).join(' ')));

    QVERIFY(QFile::remove(disk + "/filler"));
    const Ended resumed = runEarwright({ "resume", run });
    QVERIFY2(resumed.code == 0, qPrintable(resumed.errors));
    const Snapshot done = snapshotOf(run);
    QCOMPARE(done.state, State::Done);
    QVERIFY(done.started.resumedStep >= 3);
    QCOMPARE(done.step, kWantedSteps);
}

EARWRIGHT_TEST(TstFullDisk)
#include "tst_full_disk.moc"
