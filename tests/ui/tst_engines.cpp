#include "tests/registry.h"
#include "tests/ui/run_folders.h"
#include "ui/session/session.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::ui;

/// The engines that follow run folders, more of them than there are threads.
class TstEngines : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void moreRunsThanThreads_areAllRead();
    void endedEngines_leaveTheOthersAtWork();
    void session_goesWhileItReads();

private:
    QTemporaryDir m_root;
    QStringList m_runs;
};

void TstEngines::initTestCase()
{
    const QString first
        = writeRecordedRun(m_root.path(), QStringLiteral("0"), QStringLiteral("digits_bf16"));
    m_runs << first;
    for (int i = 1; i < 40; ++i) {
        const QString path = m_root.filePath(QString::number(i));
        std::filesystem::copy(
            first.toStdString(), path.toStdString(), std::filesystem::copy_options::recursive);
        m_runs << path;
    }
}

void TstEngines::moreRunsThanThreads_areAllRead()
{
    Session session;
    session.watch({ m_runs.begin(), m_runs.end() });
    for (const QString& run : m_runs) {
        QTRY_VERIFY(session.snapshot(run));
        QCOMPARE(session.snapshot(run)->step, int64_t { 480 });
    }
}

void TstEngines::endedEngines_leaveTheOthersAtWork()
{
    Session session;
    session.watch({ m_runs.begin(), m_runs.end() });
    session.watch({ m_runs[3], m_runs[30] });
    QTRY_VERIFY(session.snapshot(m_runs[3]) && session.snapshot(m_runs[30]));
    QVERIFY(!session.snapshot(m_runs[4]));
    session.watch({ m_runs[4], m_runs[30] });
    QTRY_VERIFY(session.snapshot(m_runs[4]));
    QVERIFY(session.snapshot(m_runs[30]));
}

void TstEngines::session_goesWhileItReads()
{
    for (int i = 0; i < 5; ++i) {
        Session session;
        session.watch({ m_runs.begin(), m_runs.end() });
        QTRY_VERIFY(session.snapshot(m_runs[0]) || i % 2 == 0);
    }
    QCoreApplication::processEvents(); // what came too late is dropped
}

EARWRIGHT_TEST(TstEngines)
#include "tst_engines.moc"
