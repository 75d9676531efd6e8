#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "core/engine/out_of_memory.h"
#include "tests/files.h"
#include "tests/registry.h"

using earwright::engine::outOfMemoryKills;

class TstOutOfMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kills_areReadWhereTheKernelCountsThem_data();
    void kills_areReadWhereTheKernelCountsThem();
    void noCount_isNone();
    void thisMachine_isRead();

private:
    static void write(const QString& path, const QByteArray& text);
};

void TstOutOfMemory::write(const QString& path, const QByteArray& text)
{
    QDir().mkpath(QFileInfo(path).path());
    writeFile(path, text);
}

void TstOutOfMemory::kills_areReadWhereTheKernelCountsThem_data()
{
    QTest::addColumn<QByteArray>("groups");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("text");
    const QByteArray events = "low 0\nhigh 0\nmax 9\noom 4\noom_kill 3\noom_group_kill 0\n";
    QTest::newRow("cgroup v2") << QByteArray("0::/user.slice/run\n")
                               << "sys/fs/cgroup/user.slice/run/memory.events" << events;
    QTest::newRow("cgroup v2 in a container")
        << QByteArray("0::/\n") << "sys/fs/cgroup/memory.events" << events;
    QTest::newRow("cgroup v1") << QByteArray("4:memory:/job\n0::/\n")
                               << "sys/fs/cgroup/memory/job/memory.oom_control"
                               << QByteArray("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
    QTest::newRow("the machine") << QByteArray("0::/\n") << "proc/vmstat"
                                 << QByteArray("nr_free_pages 7\noom_kill 3\n");
}

void TstOutOfMemory::kills_areReadWhereTheKernelCountsThem()
{
    QFETCH(QByteArray, groups);
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    const QTemporaryDir root;
    write(root.filePath("proc/self/cgroup"), groups);
    write(root.filePath(file), text);
    const auto kills = outOfMemoryKills(root.path().toStdString());
    QVERIFY(kills.has_value());
    QCOMPARE(*kills, 3);
}

void TstOutOfMemory::noCount_isNone()
{
    const QTemporaryDir root;
    QVERIFY(!outOfMemoryKills(root.path().toStdString()));
}

void TstOutOfMemory::thisMachine_isRead()
{
    if (!QFile::exists("/proc/vmstat"))
        QSKIP("there is no /proc/vmstat here");
    QVERIFY(outOfMemoryKills().has_value());
}

EARWRIGHT_TEST(TstOutOfMemory)
#include "tst_out_of_memory.moc"
