#include "tests/registry.h"
#include "tests/ui/desk.h"
#include "tests/ui/run_folders.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/compare_page.h"
#include "ui/launch/launcher.h"
#include "ui/runs/run_lister.h"
#include "ui/widgets/info_bar.h"

#include <QListView>
#include <QSignalSpy>

using namespace earwright;
using namespace earwright::ui;

namespace {

/// A window on a recipe, and an `earwright compare` that puts into the runs folder what lies in
/// `made` and ends once there is no file `held`.
struct CompareDesk : Desk {
    QString made = folder.filePath(QStringLiteral("made"));
    QByteArray programBefore = qgetenv("EARWRIGHT_BINARY");

    CompareDesk()
    {
        const QString program = folder.filePath(QStringLiteral("earwright"));
        writeFile(program,
            "#!/bin/sh\n[ \"$1\" = compare ] || exit 3\n"
            "here=$(dirname \"$0\")\ncp -r \"$here/made/.\" \"$here/runs\"\n"
            "while [ -e \"$here/held\" ]; do sleep 0.1; done\n");
        QFile::setPermissions(program, QFile::ReadOwner | QFile::ExeOwner);
        qputenv("EARWRIGHT_BINARY", program.toLocal8Bit());
        QDir().mkpath(made);
        const QString data = folder.filePath(QStringLiteral("data"));
        writeManifests(data);
        open();
        openRecipe(writeDemoRecipe(folder.path(), data));
    }
    ~CompareDesk()
    {
        programBefore.isEmpty() ? qunsetenv("EARWRIGHT_BINARY")
                                : qputenv("EARWRIGHT_BINARY", programBefore);
    }
    static QString writeRun(const QString& root, const char* precision, int number)
    {
        return writeRecordedRun(root,
            QStringLiteral("ctc_prompts_en-%1-%2").arg(QLatin1String(precision)).arg(number),
            QStringLiteral("digits_fp32"));
    }
    void waitForRuns(int count) const
    {
        if (!QTest::qWaitFor([&] { return window->runs().rowCount() == count; }, 30000))
            qFatal("%d runs are listed", window->runs().rowCount());
    }
    int numCompared() const { return window->findChild<ComparePage*>()->model()->rowCount(); }
    InfoBar* bar() const
    {
        return window->centralWidget()->findChild<InfoBar*>(QString(), Qt::FindDirectChildrenOnly);
    }
};

} // namespace

/// Training in several precisions, as the page of comparisons sees it.
class TstCompareStart : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runs_areTakenInOnceEach_data();
    void runs_areTakenInOnceEach();
    void runsListedBeforeTheStartIsKnown_areTakenIn();
    void comparisonThatCannotStart_leavesTheOneBefore();
    void comparisonThatEndsWithoutRuns_takesNoLaterOne();
};

void TstCompareStart::runs_areTakenInOnceEach_data()
{
    QTest::addColumn<bool>("isHeld");
    QTest::newRow("at work") << true;
    QTest::newRow("ended before they are listed") << false;
}

void TstCompareStart::runs_areTakenInOnceEach()
{
    QFETCH(bool, isHeld);
    CompareDesk desk;
    if (isHeld)
        writeFile(desk.folder.filePath(QStringLiteral("held")), "");
    CompareDesk::writeRun(desk.runsRoot(), "fp32", 1);
    desk.waitForRuns(1);
    for (const char* precision : { "fp32", "bf16" })
        CompareDesk::writeRun(desk.made, precision, 2);
    desk.action("run.compare")->trigger();
    QTRY_COMPARE(desk.numCompared(), 2);
    QCOMPARE(desk.page(), int { MainWindow::ComparePageIndex });
    const QString selected = desk.window->selectedRun();
    QVERIFY(selected.endsWith(QStringLiteral("-2")));
    CompareDesk::writeRun(desk.runsRoot(), "fp32", 3);
    desk.waitForRuns(4);
    QCOMPARE(desk.numCompared(), 2);
    QCOMPARE(desk.window->selectedRun(), selected);
}

/// The window hears late of the start: of a slow thread.
void TstCompareStart::runsListedBeforeTheStartIsKnown_areTakenIn()
{
    CompareDesk desk;
    for (const char* precision : { "fp32", "bf16" })
        CompareDesk::writeRun(desk.made, precision, 2);
    auto* launcher = desk.window->findChild<Launcher*>();
    launcher->blockSignals(true);
    desk.action("run.compare")->trigger();
    desk.waitForRuns(2);
    launcher->blockSignals(false);
    Started started;
    started.pid = QCoreApplication::applicationPid();
    started.beginnings = QStringList { QStringLiteral("ctc_prompts_en-fp32"),
        QStringLiteral("ctc_prompts_en-bf16") };
    Q_EMIT launcher->started(started);
    QTRY_COMPARE(desk.numCompared(), 2);
}

void TstCompareStart::comparisonThatCannotStart_leavesTheOneBefore()
{
    CompareDesk desk;
    const QStringList runs { CompareDesk::writeRun(desk.runsRoot(), "fp32", 1),
        CompareDesk::writeRun(desk.runsRoot(), "bf16", 1) };
    desk.waitForRuns(2);
    desk.window->compareRuns(runs);
    qputenv("EARWRIGHT_BINARY", "/nowhere/earwright");
    desk.action("run.compare")->trigger();
    QTRY_VERIFY(desk.bar()->isVisible());
    QCOMPARE(desk.window->state().comparedRuns, runs);
    CompareDesk::writeRun(desk.runsRoot(), "fp32", 2);
    desk.waitForRuns(3);
    QCOMPARE(desk.numCompared(), 2);
}

/// And leaves the page to the runs that one selects.
void TstCompareStart::comparisonThatEndsWithoutRuns_takesNoLaterOne()
{
    CompareDesk desk;
    desk.action("run.compare")->trigger();
    QTRY_VERIFY(desk.bar()->isVisible());
    QSignalSpy listed(desk.window->findChild<RunLister*>(), &RunLister::listed);
    QTRY_VERIFY(!listed.isEmpty());
    for (const char* precision : { "fp32", "bf16" })
        CompareDesk::writeRun(desk.runsRoot(), precision, 1);
    desk.waitForRuns(2);
    QCOMPARE(desk.numCompared(), 0);
    desk.window->findChild<QListView*>(QStringLiteral("runView"))->selectAll();
    desk.action("view.compare")->trigger();
    QCOMPARE(desk.numCompared(), 2);
}

EARWRIGHT_TEST(TstCompareStart)
#include "tst_compare_start.moc"
