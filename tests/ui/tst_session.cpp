#include "tests/ui/desk.h"
#include "tests/ui/run_folders.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/compare_page.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/swap_file.h"
#include "ui/launch/launch_panel.h"
#include "ui/session/quit_signals.h"
#include "ui/widgets/info_bar.h"

#include <csignal>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

using namespace kymo;
using namespace kymo::ui;

namespace {

/// A window on a recipe whose checks find nothing, that may end as a killed one does: nothing is
/// asked, saved or removed.
struct SessionDesk : Desk {
    QString path;

    SessionDesk()
    {
        writeManifests(folder.filePath(QStringLiteral("data")));
        path = writeDemoRecipe(folder.path(), folder.filePath(QStringLiteral("data")));
        open();
    }
    QSpinBox* cpuRanks() const
    {
        return window->launchPanel()->findChild<QSpinBox*>(QStringLiteral("cpuRanks"));
    }
    InfoBar* bar() const
    {
        return window->centralWidget()->findChild<InfoBar*>(QString(), Qt::FindDirectChildrenOnly);
    }
    int numCompared() const { return window->findChild<ComparePage*>()->model()->rowCount(); }
    /// The texts left by this process become those of one that is no longer there.
    static void endProcess()
    {
        const QDir swaps(SwapFile::folder());
        for (const QFileInfo& file : swaps.entryInfoList(QDir::Files)) {
            QList<QByteArray> lines = bytesOf(file.filePath()).split('\n');
            lines[1] = "999999";
            writeFile(file.filePath(), lines.join('\n'));
        }
    }
};

} // namespace

/// What a window leaves for the next one, however it ends.
class TstSession : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void killedWindow_comesBackAsItWas();
    void signal_keepsUnsavedTextForTheNextWindow();
    void leftText_isOfferedWhereverTheWindowIs();
    void everySignal_isPassedOnOnce();
    void removedRun_isComparedNoLonger();
};

void TstSession::killedWindow_comesBackAsItWas()
{
    SessionDesk desk;
    const QStringList runs { writeRecordedRun(desk.runsRoot(), QStringLiteral("fp32"),
                                 QStringLiteral("digits_fp32")),
        writeRecordedRun(desk.runsRoot(), QStringLiteral("bf16"), QStringLiteral("digits_bf16")) };
    QTRY_COMPARE(desk.window->runs().rowCount(), 2);
    desk.openRecipe(desk.path);
    desk.cpuRanks()->setValue(5);
    desk.window->compareRuns(runs);
    QTRY_COMPARE(loadSessionState().openRecipes, QStringList { desk.path });
    QTRY_COMPARE(loadSessionState().comparedRuns, runs);
    desk.reopen(); // without a close
    QCOMPARE(desk.window->recipes()->paths(), QStringList { desk.path });
    QCOMPARE(desk.page(), int { MainWindow::ComparePageIndex });
    QTRY_COMPARE(desk.numCompared(), 2);
    if (!kymoProgram().isEmpty()) // which tells the devices that were chosen among
        QTRY_COMPARE(desk.cpuRanks()->value(), 5);
    QCOMPARE(loadSessionState().launch.value(QStringLiteral("cpuRanks")).toInt(), 5);
    QCOMPARE(loadSessionState().runsRoot, desk.runsRoot());
}

void TstSession::signal_keepsUnsavedTextForTheNextWindow()
{
    SessionDesk desk;
    RecipePage* page = desk.openRecipe(desk.path);
    page->editor()->append(QStringLiteral("mine: 1\n"));
    desk.window->keepForNextTime(); // at once: no timer has run
    QCOMPARE(loadSessionState().openRecipes, QStringList { desk.path });
    desk.window.reset();
    QVERIFY(!bytesOf(desk.path).contains("mine: 1"));
    SessionDesk::endProcess();
    desk.open();
    page = desk.window->recipes()->current();
    QTRY_VERIFY(page->recoveryBar()->isVisibleTo(page));
}

void TstSession::leftText_isOfferedWhereverTheWindowIs()
{
    SessionDesk desk;
    desk.openRecipe(desk.path)->editor()->append(QStringLiteral("mine: 1\n"));
    desk.window->keepForNextTime();
    desk.window.reset();
    SessionDesk::endProcess();
    saveSessionState({}); // the tab was closed meanwhile, or the settings were lost
    desk.open();
    QTRY_VERIFY(desk.bar()->isVisible());
    QVERIFY2(desk.bar()->text().contains(QFileInfo(desk.path).fileName()),
        qPrintable(desk.bar()->text()));
    QCOMPARE(desk.window->recipes()->current(), nullptr);
    desk.bar()->findChildren<QPushButton*>().first()->click();
    RecipePage* page = desk.window->recipes()->current();
    QVERIFY(page && page->path() == desk.path);
    QTRY_VERIFY(page->recoveryBar()->isVisibleTo(page));
}

void TstSession::everySignal_isPassedOnOnce()
{
    std::signal(SIGHUP, SIG_IGN); // as by nohup
    const QuitSignals signalsOfTheSystem;
    QSignalSpy received(&signalsOfTheSystem, &QuitSignals::received);
    for (const int number : { SIGTERM, SIGINT }) {
        received.clear();
        std::raise(number);
        QTRY_COMPARE(received.size(), 1);
        struct sigaction action { };
        ::sigaction(number, nullptr, &action);
        QVERIFY(action.sa_handler == SIG_DFL); // should the window hang
    }
    received.clear();
    std::raise(SIGHUP);
    QCoreApplication::processEvents();
    QCOMPARE(received.size(), 0);
}

void TstSession::removedRun_isComparedNoLonger()
{
    SessionDesk desk;
    const QStringList runs { writeRecordedRun(desk.runsRoot(), QStringLiteral("fp32"),
                                 QStringLiteral("digits_fp32")),
        writeRecordedRun(desk.runsRoot(), QStringLiteral("bf16"), QStringLiteral("digits_bf16")) };
    QTRY_COMPARE(desk.window->runs().rowCount(), 2);
    desk.window->compareRuns(runs);
    QTRY_COMPARE(desk.numCompared(), 2);
    QVERIFY(QDir(runs[0]).removeRecursively());
    QTRY_COMPARE(desk.numCompared(), 1);
    QCOMPARE(desk.window->findChild<ComparePage*>()->baseline(), runs[1]);
    desk.window->compareRuns(runs); // as an earlier window may have left it
    desk.window->keepForNextTime();
    desk.reopen();
    QTRY_COMPARE(desk.numCompared(), 1);
    QCOMPARE(desk.window->state().comparedRuns, QStringList { runs[1] });
}

QTEST_MAIN(TstSession)
#include "tst_session.moc"
