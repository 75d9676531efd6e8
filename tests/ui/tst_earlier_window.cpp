#include "tests/files.h"
#include "tests/registry.h"
#include "tests/ui/own_settings.h"
#include "ui/editor/swap_file.h"
#include "ui/session/session_state.h"

#include <QDateTime>
#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::ui;

/// What the window kept when the program was called Kymo (tests/cases/before_rename/README.md).
class TstEarlierWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void settings_areReadUntilThereAreOwn();
    void unsavedText_isOffered();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TstEarlierWindow::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    useOwnSettings(m_folder->path());
    const QDir kept(QStringLiteral(EARWRIGHT_CASES_DIR "/before_rename/window"));
    QDirIterator files(kept.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        files.next();
        QString name = kept.relativeFilePath(files.filePath());
        name.remove(QStringLiteral("config/")); // useOwnSettings() has none between
        const QString path = m_folder->filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        writeFile(path, bytesOf(files.filePath()));
        // Old enough, should the process be of another host.
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite)
            && file.setFileTime(
                QDateTime::currentDateTime().addDays(-2), QFileDevice::FileModificationTime));
    }
}

void TstEarlierWindow::settings_areReadUntilThereAreOwn()
{
    const QString file = m_folder->filePath(QStringLiteral("kymo/kymo-studio.ini"));
    const QByteArray before = bytesOf(file);
    SessionState state = loadSessionState();
    QCOMPARE(state.openRecipes, QStringList { QStringLiteral("/tmp/before_rename/recipe.yaml") });
    QCOMPARE(state.runsRoot, QStringLiteral("/tmp/before_rename"));
    QCOMPARE(state.selectedRun, QStringLiteral("/tmp/before_rename/run"));
    QCOMPARE(state.page, 1);
    QVERIFY(!state.docks.isEmpty());
    state.runsRoot = QStringLiteral("/elsewhere");
    saveSessionState(state);
    QCOMPARE(loadSessionState().runsRoot, QStringLiteral("/elsewhere"));
    QCOMPARE(bytesOf(file), before);
}

void TstEarlierWindow::unsavedText_isOffered()
{
    const std::vector<LeftText> left = leftTexts(QStringLiteral("/tmp/before_rename/recipe.yaml"));
    QCOMPARE(left.size(), size_t { 1 });
    QVERIFY(left[0].text.contains(QStringLiteral("lr: 0.5 # typed, not saved")));
    QVERIFY(!SwapFile::folder().contains(QStringLiteral("kymo")));
    const QDir swaps(m_folder->filePath(QStringLiteral("share/kymo/kymo-studio/swap")));
    QVERIFY(swaps.entryList({ QStringLiteral(".*.tmp") }, QDir::Files | QDir::Hidden).isEmpty());
}

EARWRIGHT_TEST(TstEarlierWindow)
#include "tst_earlier_window.moc"
