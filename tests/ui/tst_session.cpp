#include "tests/registry.h"
#include "tests/ui/desk.h"
#include "tests/ui/live_run.h"
#include "tests/ui/run_folders.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/compare_page.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/swap_file.h"
#include "ui/launch/launch_panel.h"
#include "ui/monitor/alerts.h"
#include "ui/runs/queue_bar.h"
#include "ui/runs/runs_page.h"
#include "ui/session/quit_signals.h"
#include "ui/widgets/info_bar.h"

#include <csignal>
#include <QApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QThreadPool>
#include <QTimer>
#include <QToolButton>

using namespace earwright;
using namespace earwright::ui;

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
    PlotView* plotOf(const char* id) const
    {
        return window->findChild<PlotView*>(QLatin1String(id));
    }
    QList<InfoBar*> bars() const
    {
        return window->centralWidget()->findChildren<InfoBar*>(
            QString(), Qt::FindDirectChildrenOnly);
    }
    InfoBar* bar() const { return bars().first(); }
    InfoBar* heldBar() const { return bars().at(1); }
    using Desk::open;
    void open(const SessionStart& start)
    {
        window = std::make_unique<MainWindow>(theme, start.state);
        window->beginWith(start);
        window->show();
        if (!QTest::qWaitForWindowExposed(window.get()))
            qFatal("the window does not show");
    }
    InfoBar* offerBar() const { return bars().last(); }
    /// Two that are compared, the first of them selected.
    QStringList compareTwoRuns() const
    {
        const QStringList runs { writeRecordedRun(runsRoot(), QStringLiteral("fp32"),
                                     QStringLiteral("digits_fp32")),
            writeRecordedRun(runsRoot(), QStringLiteral("bf16"), QStringLiteral("digits_bf16")) };
        if (!QTest::qWaitFor([this] { return window->runs().rowCount() == 2; }, 30000))
            qFatal("the runs are not listed");
        window->selectRun(runs[0]);
        window->compareRuns(runs);
        return runs;
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
    void leftText_isOfferedWhateverElseIsSaid();
    void everySignal_isPassedOnOnce();
    void removedRun_isComparedNoLonger();
    void runRemovedMeanwhile_isSelectedNoLonger();
    void folderThatDoesNotAnswer_keepsWhatWasListed();
    void otherFolderAndBack_keepsTheComparison();
    void windowThatStays_keepsTextsAndRuns();
    void startAfterABadOne_offersWhatItDoesNotRestore();
    void badStartAfterABadOne_losesNothing();
    void damagedLog_isToldWhenOpenedAndWhileFollowed();
};

void TstSession::killedWindow_comesBackAsItWas()
{
    SessionDesk desk;
    const QStringList runs = desk.compareTwoRuns();
    desk.openRecipe(desk.path);
    desk.cpuRanks()->setValue(5);
    desk.plotOf("validLoss")->setLogY(true);
    desk.plotOf("lr")->setClipped(false);
    const QStringList columns { QStringLiteral("name"), QStringLiteral("lr") };
    desk.window->findChild<RunsPage*>()->setColumns(columns);
    desk.action("view.compare")->trigger();
    QTRY_COMPARE(loadSessionState().openRecipes, QStringList { desk.path });
    QTRY_COMPARE(loadSessionState().comparedRuns, runs);
    QTRY_COMPARE(loadSessionState().page, int { MainWindow::ComparePageIndex });
    QTRY_COMPARE(loadSessionState().runColumns, columns);
    desk.reopen(); // without a close
    QCOMPARE(desk.window->findChild<RunsPage*>()->columns(), columns);
    QVERIFY(desk.plotOf("validLoss")->options().isLogY);
    QVERIFY(!desk.plotOf("lr")->options().isClipped);
    QCOMPARE(desk.plotOf("loss")->options(), PlotOptions());
    QCOMPARE(desk.window->recipes()->paths(), QStringList { desk.path });
    QCOMPARE(desk.page(), int { MainWindow::ComparePageIndex });
    QTRY_COMPARE(desk.numCompared(), 2);
    QCOMPARE(desk.cpuRanks()->value(), 5); // whatever `earwright devices` will say, if anything
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
    QTRY_VERIFY(desk.offerBar()->isVisible());
    QVERIFY2(desk.offerBar()->text().contains(QFileInfo(desk.path).fileName()),
        qPrintable(desk.offerBar()->text()));
    QCOMPARE(desk.window->recipes()->current(), nullptr);
    desk.offerBar()->findChildren<QPushButton*>().first()->click();
    RecipePage* page = desk.window->recipes()->current();
    QVERIFY(page && page->path() == desk.path);
    QTRY_VERIFY(page->recoveryBar()->isVisibleTo(page));
}

/// And is gone once the recipe was opened another way.
void TstSession::leftText_isOfferedWhateverElseIsSaid()
{
    const QByteArray before = qgetenv("EARWRIGHT_BINARY");
    qputenv("EARWRIGHT_BINARY", "/nowhere/earwright");
    SessionDesk desk;
    const QString other = desk.folder.filePath(QStringLiteral("other.yaml"));
    QVERIFY(QFile::copy(desk.path, other));
    desk.openRecipe(desk.path)->editor()->append(QStringLiteral("mine: 1\n"));
    desk.window->keepForNextTime();
    desk.window.reset();
    SessionDesk::endProcess();
    saveSessionState({});
    desk.open();
    QTRY_VERIFY(desk.offerBar()->isVisible());
    desk.openRecipe(other);
    desk.action("run.start")->trigger();
    QTRY_VERIFY(desk.bar()->isVisible()); // there is no program
    QVERIFY(desk.offerBar()->isVisible());
    QVERIFY(desk.offerBar()->text().contains(QFileInfo(desk.path).fileName()));
    desk.openRecipe(desk.path);
    QVERIFY(!desk.offerBar()->isVisible());
    before.isEmpty() ? qunsetenv("EARWRIGHT_BINARY") : qputenv("EARWRIGHT_BINARY", before);
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
    const QStringList runs = desk.compareTwoRuns();
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

/// It is not waited for; nor is one of another folder than the window looks at now.
void TstSession::runRemovedMeanwhile_isSelectedNoLonger()
{
    SessionDesk desk;
    const QStringList runs = desk.compareTwoRuns();
    desk.window->keepForNextTime();
    desk.reopen();
    QTRY_COMPARE(desk.window->runs().rowCount(), 2);
    QCOMPARE(desk.window->selectedRun(), runs[0]);
    desk.window.reset();
    QVERIFY(QDir(runs[0]).removeRecursively());
    QCOMPARE(loadSessionState().selectedRun, runs[0]);
    desk.open();
    QTRY_COMPARE(desk.window->selectedRun(), QString());
    desk.window->selectRun(runs[1]);
    desk.window->keepForNextTime();
    desk.window.reset();
    desk.root = desk.folder.filePath(QStringLiteral("other"));
    desk.open();
    QTRY_COMPARE(desk.window->selectedRun(), QString());
}

/// As one on a network may, for a moment.
void TstSession::folderThatDoesNotAnswer_keepsWhatWasListed()
{
    SessionDesk desk;
    const QString disk = desk.folder.filePath(QStringLiteral("disk"));
    const QString noDisk = desk.folder.filePath(QStringLiteral("no disk"));
    QVERIFY(QDir().mkpath(disk));
    writeFile(noDisk, "no folder");
    const auto mount = [&desk](const QString& target) { // at once
        const QString link = desk.runsRoot() + QStringLiteral(".new");
        QVERIFY(QFile::link(target, link));
        std::filesystem::rename(link.toStdString(), desk.runsRoot().toStdString());
    };
    mount(disk);
    const QStringList runs = desk.compareTwoRuns();
    const auto* hindrance = desk.window->findChild<QueueBar*>();
    mount(noDisk);
    QTRY_VERIFY(!hindrance->isHidden());
    const QString text = hindrance->findChild<QLabel*>()->text();
    QVERIFY2(text.contains(QStringLiteral("Not a directory")), qPrintable(text));
    QCOMPARE(desk.window->runs().rowCount(), 2);
    QCOMPARE(desk.window->selectedRun(), runs[0]);
    QCOMPARE(desk.window->state().comparedRuns, runs);
    mount(disk);
    QTRY_VERIFY(hindrance->isHidden());
    QCOMPARE(desk.window->state().comparedRuns, runs);
    desk.window->setRunsRoot(noDisk); // whose runs the ones listed are not
    QTRY_COMPARE(desk.window->runs().rowCount(), 0);
}

void TstSession::otherFolderAndBack_keepsTheComparison()
{
    SessionDesk desk;
    const QStringList runs = desk.compareTwoRuns();
    const QString other = desk.folder.filePath(QStringLiteral("other"));
    writeRecordedRun(other, QStringLiteral("third"), QStringLiteral("digits_fp32"));
    desk.window->setRunsRoot(other);
    QTRY_COMPARE(desk.window->runs().rowCount(), 1);
    QCOMPARE(desk.numCompared(), 2);
    desk.window->setRunsRoot(desk.runsRoot() + QLatin1Char('/'));
    QTRY_COMPARE(desk.window->runs().rowCount(), 2);
    QCOMPARE(desk.window->state().comparedRuns, runs);
    QVERIFY(QDir(runs[0]).removeRecursively());
    QTRY_COMPARE(desk.numCompared(), 1);
}

/// Whichever of the two questions is answered with Cancel.
void TstSession::windowThatStays_keepsTextsAndRuns()
{
    SessionDesk desk;
    const LiveRun run(desk.runsRoot(), QStringLiteral("live"));
    QTRY_COMPARE(desk.window->runs().livePaths(), QStringList { run.path() });
    RecipePage* page = desk.openRecipe(desk.path);
    page->editor()->append(QStringLiteral("mine: 1\n"));
    QMap<QString, QString> answers { { QStringLiteral("liveRunsDialog"), QStringLiteral("Cancel") },
        { QStringLiteral("unsavedDialog"), QStringLiteral("Discard") } };
    QTimer answering;
    connect(&answering, &QTimer::timeout, this, [&answers] {
        if (const auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget()))
            for (QAbstractButton* button : box->buttons())
                if (button->text().remove(QLatin1Char('&')) == answers.value(box->objectName()))
                    button->click();
    });
    answering.start(10);
    QVERIFY(!desk.window->close());
    QVERIFY(page->isModified());
    answers = { { QStringLiteral("liveRunsDialog"), QStringLiteral("Stop it") },
        { QStringLiteral("unsavedDialog"), QStringLiteral("Cancel") } };
    QVERIFY(!desk.window->close());
    QVERIFY(page->isModified());
    QThreadPool::globalInstance()->waitForDone();
    QCOMPARE(run.told(), QStringList());
    answers[QStringLiteral("unsavedDialog")] = QStringLiteral("Discard");
    QVERIFY(desk.window->close());
    QTRY_COMPARE(run.told().size(), 1);
}

void TstSession::startAfterABadOne_offersWhatItDoesNotRestore()
{
    SessionDesk desk;
    const QStringList runs = desk.compareTwoRuns();
    desk.openRecipe(desk.path);
    desk.action("view.compare")->trigger();
    desk.window->keepForNextTime();
    desk.window.reset();
    desk.open(loadSessionStart(false));
    QVERIFY(desk.heldBar()->isVisible());
    QVERIFY2(desk.heldBar()->text().contains(QStringLiteral("did not start well")),
        qPrintable(desk.heldBar()->text()));
    QVERIFY(desk.window->recipes()->pages().isEmpty());
    QCOMPARE(desk.window->selectedRun(), QString());
    QCOMPARE(desk.window->state().comparedRuns, QStringList());
    QVERIFY(desk.action("file.restoreSession")->isEnabled());
    desk.window->keepForNextTime(); // what it shows does not take the place of what it holds back
    desk.window.reset();

    desk.open(loadSessionStart(true));
    QVERIFY(!desk.heldBar()->isVisible());
    desk.action("file.restoreSession")->trigger();
    QTRY_COMPARE(desk.window->recipes()->paths(), QStringList { desk.path });
    QCOMPARE(desk.page(), int { MainWindow::ComparePageIndex });
    QCOMPARE(desk.window->selectedRun(), runs[0]);
    QTRY_COMPARE(desk.numCompared(), 2);
    QVERIFY(!desk.action("file.restoreSession")->isEnabled());
    QVERIFY(loadSessionStart(true).held); // until it has run well
    QTRY_VERIFY_WITH_TIMEOUT(!loadSessionStart(true).held, 30000);
}

void TstSession::badStartAfterABadOne_losesNothing()
{
    const QTemporaryDir folder;
    useOwnSettings(folder.path());
    QVERIFY(!loadSessionStart(false).isSafe); // there is nothing to hold back
    const QVariantMap launch { { QStringLiteral("cpuRanks"), 5 } };
    const QStringList colors { QStringLiteral("/run"), QStringLiteral("#123456") };
    saveSessionState({ .docks = "docks",
        .openRecipes = { QStringLiteral("/a") },
        .recipeViews = { { QStringLiteral("/a"), 1 } },
        .recentRecipes = { QStringLiteral("/r") },
        .selectedRun = QStringLiteral("/run"),
        .runColors = colors,
        .launch = launch });
    SessionStart start = loadSessionStart(false);
    QVERIFY(start.isSafe);
    QCOMPARE(start.state, (SessionState { .recentRecipes = { QStringLiteral("/r") } }));
    start.state.docks = "those of a new window";
    start.state.openRecipes = { QStringLiteral("/b") };
    start.state.recipeViews = { { QStringLiteral("/b"), 2 } };
    start.state.recentRecipes = { QStringLiteral("/b"), QStringLiteral("/r") };
    start.state.runColors = { QStringLiteral("/b"), QStringLiteral("#000000") };
    start.state.launch = { { QStringLiteral("cpuRanks"), 1 } };
    saveSessionState(start.state);
    start = loadSessionStart(false);
    QCOMPARE(start.held->openRecipes, (QStringList { QStringLiteral("/b"), QStringLiteral("/a") }));
    QCOMPARE(
        start.held->recentRecipes, (QStringList { QStringLiteral("/b"), QStringLiteral("/r") }));
    QCOMPARE(start.held->recipeViews,
        (QVariantMap { { QStringLiteral("/a"), 1 }, { QStringLiteral("/b"), 2 } }));
    QCOMPARE(start.held->selectedRun, QStringLiteral("/run"));
    QCOMPARE(start.held->docks, QByteArray("docks"));
    QCOMPARE(start.held->launch, launch);
    QCOMPARE(start.held->runColors, colors);
    dropHeldSession();
    QVERIFY(!loadSessionStart(true).held);
}

/// And what is sound is shown.
void TstSession::damagedLog_isToldWhenOpenedAndWhileFollowed()
{
    SessionDesk desk;
    const QString path
        = writeRecordedRun(desk.runsRoot(), QStringLiteral("fp32"), QStringLiteral("digits_fp32"));
    const QString log = path + QStringLiteral("/events/rank0/events.out.tfevents.0000");
    const QByteArray sound = bytesOf(log);
    QByteArray damaged = sound;
    damaged[sound.size() / 2] = static_cast<char>(~damaged[sound.size() / 2]);
    writeFile(log, damaged);
    desk.window->selectRun(path);
    QTRY_VERIFY(desk.bar()->isVisible());
    QVERIFY2(desk.bar()->text().contains(QStringLiteral("is damaged from byte")),
        qPrintable(desk.bar()->text()));
    const auto snapshot = [&] { return desk.window->session().snapshot(path); };
    QTRY_VERIFY(snapshot());
    QCOMPARE(snapshot()->damage.size(), size_t { 1 });
    QCOMPARE(snapshot()->series.at("train/loss").points().back().step, int64_t { 480 });
    QCOMPARE(alertsOf(*snapshot()).front().tone, Tone::Warning);
    desk.action("view.monitor")->trigger();
    QTRY_VERIFY(desk.window->findChild<QToolButton*>(QStringLiteral("alertToggle"))->isVisible());
    desk.window->resize(1024, 700);
    desk.window->grab(); // lays out
    QCOMPARE(desk.window->width(), 1024);
    writeFile(log, damaged + QByteArray(40, 'x'));
    QTRY_COMPARE(snapshot()->damage.size(), size_t { 2 });
    QTRY_VERIFY(desk.bar()->text().contains(QStringLiteral("on; what stood there is lost")));
}

EARWRIGHT_TEST(TstSession)
#include "tst_session.moc"
