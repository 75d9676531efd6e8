#include "tests/ui/recorded_run.h"
#include "ui/launch/device_model.h"
#include "ui/launch/launch_panel.h"
#include "ui/launch/overrides_model.h"
#include "ui/launch/precisions.h"
#include "ui/runs/log_model.h"
#include "ui/runs/run_delegate.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"
#include "ui/runs/run_story.h"
#include "ui/runs/sidebar.h"
#include "ui/session/action_registry.h"
#include "ui/session/run_starter.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QListView>
#include <QMimeData>
#include <QPainter>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTreeView>

using namespace kymo;
using namespace kymo::ui;

namespace {

run::RunSummary summaryOf(const char* name, run::State state, double startTime = 1)
{
    run::RunSummary summary;
    summary.folder.path = std::filesystem::path("/runs") / name;
    summary.name = name;
    summary.state = state;
    summary.startTime = startTime;
    summary.totalSteps = 100;
    summary.step = 25;
    return summary;
}

check::Machine twoGpus()
{
    check::Machine machine;
    machine.cpuCores = 8;
    check::Gpu old;
    old.name = "Turing";
    old.capabilityMajor = 7;
    old.capabilityMinor = 5;
    check::Gpu recent;
    recent.name = "Hopper";
    recent.capabilityMajor = 9;
    machine.gpus = { recent, old };
    return machine;
}

SnapshotPtr logOf(int lines)
{
    run::Snapshot snapshot;
    snapshot.started.devices = { "cpu", "cpu" };
    for (int i = 0; i < lines; ++i)
        snapshot.log.push_back(
            { 1.0 * i, i % 2, i % 10 == 9 ? "error" : "info", "line " + std::to_string(i) });
    return std::make_shared<const run::Snapshot>(snapshot);
}

QVariantMap overridesOf(const QString& recipe, const QString& override)
{
    return { { recipe, QStringList { override } } };
}

ActionRegistry& launchActions()
{
    static ActionRegistry actions;
    if (actions.all().isEmpty()) {
        for (const char* id : { "run.start", "run.stop", "run.compare" })
            actions.add({ .id = QLatin1String(id),
                .text = QLatin1String(id),
                .iconName = {},
                .shortcut = {} });
    }
    return actions;
}

} // namespace

class TstRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runThatMovesUp_keepsSelectionAndRow();
    void runThatVanishes_leavesTheList();
    void liveRuns_areThoseWithASupervisor();
    void waitingRuns_sayTheirPlaceAndWhatTheyWaitFor();
    void waitingRun_isDroppedAmongThoseThatWait();
    void runNotListedYet_isSelectedOnceItIs();
    void controlClick_addsARunToTheSelection();
    void keysThatMoveOn_leaveTheShownRun();
    void runTakenOutOfTheSelection_isNotShownAnyMore();
    void emptiedSelection_goesBackToTheShownRun();
    void onlyRunTakenOut_isNotOpened();
    void runThatVanishesWhileShown_leavesItsPlaceToANeighbour();
    void awaitedRun_outlivesTheListBeforeIt();
    void runWithTheKeyboard_hasAFrame();
    void shownRunOfSeveral_keepsItsFrame();
    void longRecipeName_isCutInTheMiddle();
    void errorRate_isShownWhole();
    void devices_areNamedShortly();
    void log_isFilteredByRankLevelAndText();
    void log_appendsRowsAndResetsForAnotherRun();
    void story_tellsStartValidationsSkippedStepsAndEnd();
    void story_ofARunThatGrows_onlyAppends();
    void lateLine_takesItsPlaceInTime();
    void resumption_isToldWhenItWas();
    void wordErrors_areToldOnlyOfTextsWithWords();
    void cpu_offersWhatItCanDo();
    void gpus_offerWhatAllOfThemCanDo();
    void chosenGpus_becomeTheDevicesOption();
    void machineAskedAgain_changesOnlyItsFigures();
    void overrides_areReadBackAsTyped();
    void newOverride_isTypedKeyTabValue();
    void longKeys_getTheirRoomAndKeepTheirEnds();
    void commandLine_isQuotedForAShell();
    void launchState_isRestored();
    void gpusOfLastTime_waitForTheMachine();
    void overrides_areOfTheRecipeTheyWereTypedFor();
};

void TstRuns::runThatMovesUp_keepsSelectionAndRow()
{
    RunListModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    Sidebar sidebar(&model, {});
    model.setRuns({ summaryOf("a", run::State::Done, 3), summaryOf("b", run::State::Done, 2),
        summaryOf("new", run::State::Queued, 0) });
    sidebar.selectRun(QStringLiteral("/runs/new"));
    QSignalSpy changed(&sidebar, &Sidebar::currentRunChanged);
    model.setRuns({ summaryOf("new", run::State::Running, 4), summaryOf("a", run::State::Done, 3),
        summaryOf("b", run::State::Done, 2) });
    QCOMPARE(changed.count(), 0);
    QCOMPARE(sidebar.currentRun(), QStringLiteral("/runs/new"));
    QCOMPARE(sidebar.selectedRuns(), QStringList { QStringLiteral("/runs/new") });
    QCOMPARE(model.index(0, 0).data(RunListModel::StateRole).toInt(),
        static_cast<int>(run::State::Running));
    QCOMPARE(model.index(2, 0).data().toString(), QStringLiteral("b"));
}

void TstRuns::runThatVanishes_leavesTheList()
{
    RunListModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRuns({ summaryOf("a", run::State::Done), summaryOf("b", run::State::Done),
        summaryOf("c", run::State::Done) });
    model.setRuns({ summaryOf("c", run::State::Failed), summaryOf("d", run::State::Running) });
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(!model.indexOf(QStringLiteral("/runs/a")).isValid());
    QCOMPARE(model.indexOf(QStringLiteral("/runs/c")).data(RunListModel::DetailRole).toString(),
        QStringLiteral("failed"));
    QCOMPARE(
        model.indexOf(QStringLiteral("/runs/d")).data(RunListModel::ProgressRole).toDouble(), 0.25);
}

void TstRuns::liveRuns_areThoseWithASupervisor()
{
    RunListModel model;
    model.setRuns({ summaryOf("queued", run::State::Queued),
        summaryOf("running", run::State::Running), summaryOf("stopping", run::State::Stopping),
        summaryOf("paused", run::State::Paused),
        summaryOf("interrupted", run::State::Interrupted), summaryOf("done", run::State::Done) });
    QCOMPARE(model.livePaths(),
        QStringList({ QStringLiteral("/runs/running"), QStringLiteral("/runs/stopping"),
            QStringLiteral("/runs/paused") }));
    QCOMPARE(model.numPaused(), 1);
    QCOMPARE(model.index(3, 0).data(RunListModel::DetailRole).toString(), QStringLiteral("paused"));
}

void TstRuns::waitingRuns_sayTheirPlaceAndWhatTheyWaitFor()
{
    run::RunSummary working = summaryOf("working-20261121-101500", run::State::Running);
    working.devices = { "cuda:0" };
    run::RunSummary lost = summaryOf("lost", run::State::Interrupted);
    lost.place = 1;
    lost.devices = { "cuda:0", "cuda:1" };
    run::RunSummary fresh = summaryOf("fresh", run::State::Queued);
    fresh.place = 2;
    fresh.devices = { "cuda:2" };
    RunListModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRuns({ working, lost, fresh, summaryOf("planned", run::State::Queued) });
    const auto text = [&](int row, int role) { return model.index(row, 0).data(role).toString(); };
    QCOMPARE(text(1, RunListModel::TimeRole), QStringLiteral("#1"));
    QCOMPARE(
        text(1, RunListModel::DetailRole), QStringLiteral("waiting for cuda:0,1 · after working"));
    QCOMPARE(text(2, RunListModel::DetailRole), QStringLiteral("waiting for cuda:2"));
    QCOMPARE(text(3, RunListModel::DetailRole), QStringLiteral("not started"));
    QVERIFY(
        text(1, Qt::ToolTipRole).contains(QStringLiteral("Place 1 in the queue, for cuda:0,1")));
    QVERIFY(text(1, Qt::AccessibleTextRole).contains(QStringLiteral("#1")));
    QVERIFY(text(1, Qt::ToolTipRole).contains(QStringLiteral("Waits until working-20261121")));
    QCOMPARE(model.numWaiting(), 2);
}

void TstRuns::waitingRun_isDroppedAmongThoseThatWait()
{
    std::vector<run::RunSummary> runs { summaryOf("working", run::State::Running),
        summaryOf("a", run::State::Queued), summaryOf("b", run::State::Queued),
        summaryOf("c", run::State::Queued), summaryOf("done", run::State::Done) };
    for (int64_t place = 1; place <= 3; ++place)
        runs[static_cast<size_t>(place)].place = place;
    RunListModel model;
    model.setRuns(runs);
    QSignalSpy moved(&model, &RunListModel::moveRequested);
    const auto drop = [&](int from, int row) {
        const std::unique_ptr<QMimeData> data(model.mimeData({ model.index(from, 0) }));
        model.dropMimeData(data.get(), Qt::MoveAction, row, 0, {});
        return moved.isEmpty() ? 0 : moved.takeFirst().at(1).toInt();
    };
    QCOMPARE(drop(1, 4), 2); // a below c
    QCOMPARE(drop(3, 1), -2); // c above a
    QCOMPARE(drop(2, 3), 0); // where it is
    QCOMPARE(drop(2, 0), 0); // above who trains: not among those that wait
    QCOMPARE(drop(2, 5), 0);
    QVERIFY(model.flags(model.index(2, 0)).testFlag(Qt::ItemIsDragEnabled));
    QVERIFY(!model.flags(model.index(0, 0)).testFlag(Qt::ItemIsDragEnabled));
}

void TstRuns::runNotListedYet_isSelectedOnceItIs()
{
    RunListModel model;
    Sidebar sidebar(&model, {});
    sidebar.selectRun(QStringLiteral("/runs/late"));
    QCOMPARE(sidebar.currentRun(), QString());
    model.setRuns({ summaryOf("late", run::State::Running) });
    QCOMPARE(sidebar.currentRun(), QStringLiteral("/runs/late"));
}

/// The window selects what became current, while the click that made it so is still at work.
void TstRuns::controlClick_addsARunToTheSelection()
{
    RunListModel model;
    Sidebar sidebar(&model, {});
    connect(&sidebar, &Sidebar::currentRunChanged, &sidebar, &Sidebar::selectRun);
    model.setRuns({ summaryOf("a", run::State::Done), summaryOf("b", run::State::Done) });
    sidebar.selectRun(QStringLiteral("/runs/b"));
    sidebar.show();
    QVERIFY(QTest::qWaitForWindowExposed(&sidebar));
    auto* view = sidebar.findChild<QListView*>(QStringLiteral("runView"));
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::ControlModifier,
        view->visualRect(model.index(0, 0)).center());
    QCOMPARE(sidebar.currentRun(), QStringLiteral("/runs/a"));
    QCOMPARE(sidebar.selectedRuns().size(), 2);
    QTest::keyClick(view, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(sidebar.selectedRuns().size(), 2); // not one of each column
}

namespace {

struct ShownRuns {
    RunListModel model;
    Sidebar sidebar { &model, {} };
    QListView* view = sidebar.findChild<QListView*>(QStringLiteral("runView"));

    ShownRuns()
    {
        // As the window does it.
        QObject::connect(&sidebar, &Sidebar::currentRunChanged, &sidebar, &Sidebar::selectRun);
        QObject::connect(&sidebar, &Sidebar::runActivated, &sidebar, &Sidebar::selectRun);
        model.setRuns({ summaryOf("a", run::State::Done), summaryOf("b", run::State::Done),
            summaryOf("c", run::State::Done), summaryOf("d", run::State::Done) });
        sidebar.resize(260, 700);
        sidebar.show();
        sidebar.activateWindow();
        if (!QTest::qWaitForWindowActive(&sidebar))
            qFatal("the sidebar does not show");
        view->setFocus();
    }
    void click(int row, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(view->viewport(), Qt::LeftButton, modifiers,
            view->visualRect(model.index(row, 0)).center());
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(view, key, modifiers);
    }
    QString shown() const { return sidebar.currentRun(); }
    QString selected() const { return sidebar.selectedRuns().join(QLatin1Char(' ')); }
};

} // namespace

void TstRuns::keysThatMoveOn_leaveTheShownRun()
{
    ShownRuns runs;
    runs.click(0);
    QCOMPARE(runs.shown(), QStringLiteral("/runs/a"));
    for (const Qt::Key key : { Qt::Key_Down, Qt::Key_Down, Qt::Key_Home, Qt::Key_End }) {
        runs.key(key, Qt::ControlModifier);
        QCOMPARE(runs.shown(), QStringLiteral("/runs/a"));
        QCOMPARE(runs.selected(), QStringLiteral("/runs/a"));
    }
    QCOMPARE(runs.view->currentIndex().row(), 3);
    runs.key(Qt::Key_Space, Qt::ControlModifier); // adds it
    QCOMPARE(runs.shown(), QStringLiteral("/runs/d"));
    QCOMPARE(runs.sidebar.selectedRuns().size(), 2);
    runs.key(Qt::Key_Up, Qt::ControlModifier);
    runs.key(Qt::Key_Return); // opens it alone
    QCOMPARE(runs.shown(), QStringLiteral("/runs/c"));
    QCOMPARE(runs.selected(), QStringLiteral("/runs/c"));
    runs.key(Qt::Key_Up);
    QCOMPARE(runs.shown(), QStringLiteral("/runs/b"));
    QCOMPARE(runs.selected(), QStringLiteral("/runs/b"));
}

void TstRuns::runTakenOutOfTheSelection_isNotShownAnyMore()
{
    ShownRuns runs;
    runs.click(0);
    runs.click(1, Qt::ControlModifier);
    runs.click(2, Qt::ControlModifier);
    QCOMPARE(runs.shown(), QStringLiteral("/runs/c"));
    runs.click(2, Qt::ControlModifier);
    QCOMPARE(runs.shown(), QStringLiteral("/runs/a"));
    QCOMPARE(runs.sidebar.selectedRuns().size(), 2);
}

void TstRuns::emptiedSelection_goesBackToTheShownRun()
{
    ShownRuns runs;
    runs.click(1);
    runs.click(1, Qt::ControlModifier);
    QTRY_COMPARE(runs.selected(), QStringLiteral("/runs/b"));
    QCOMPARE(runs.shown(), QStringLiteral("/runs/b"));
    runs.click(2, Qt::ControlModifier);
    const QWidget* view = runs.view->viewport();
    QTest::mouseClick(
        runs.view->viewport(), Qt::LeftButton, {}, view->rect().bottomLeft() + QPoint(20, -20));
    QTRY_COMPARE(runs.selected(), QStringLiteral("/runs/c"));
    QCOMPARE(runs.shown(), QStringLiteral("/runs/c"));
}

/// Ctrl and a click of a hand, which is not over before the window does other things.
void TstRuns::onlyRunTakenOut_isNotOpened()
{
    ShownRuns runs;
    runs.click(1);
    QSignalSpy opened(&runs.sidebar, &Sidebar::runActivated);
    const QPoint place = runs.view->visualRect(runs.model.index(1, 0)).center();
    QTest::mousePress(runs.view->viewport(), Qt::LeftButton, Qt::ControlModifier, place);
    QCoreApplication::processEvents();
    QTest::mouseRelease(runs.view->viewport(), Qt::LeftButton, Qt::ControlModifier, place);
    QTRY_COMPARE(runs.selected(), QStringLiteral("/runs/b"));
    QCOMPARE(runs.shown(), QStringLiteral("/runs/b"));
    QCOMPARE(opened.count(), 0);
    runs.click(1);
    QCOMPARE(opened.count(), 1);
}

void TstRuns::runThatVanishesWhileShown_leavesItsPlaceToANeighbour()
{
    ShownRuns runs;
    runs.click(1);
    runs.model.setRuns({ summaryOf("a", run::State::Done), summaryOf("c", run::State::Done) });
    QCOMPARE(runs.shown(), QStringLiteral("/runs/a"));
    QCOMPARE(runs.selected(), QStringLiteral("/runs/a"));
    runs.model.setRuns({});
    QCOMPARE(runs.shown(), QString());
}

/// A run's folder opened from elsewhere: its neighbours replace those listed so far.
void TstRuns::awaitedRun_outlivesTheListBeforeIt()
{
    ShownRuns runs;
    runs.click(1);
    runs.sidebar.selectRun(QStringLiteral("/runs/y"));
    QCOMPARE(runs.selected(), QString());
    runs.model.setRuns({ summaryOf("x", run::State::Done), summaryOf("y", run::State::Done) });
    QCOMPARE(runs.shown(), QStringLiteral("/runs/y"));
    QCOMPARE(runs.selected(), QStringLiteral("/runs/y"));
}

void TstRuns::runWithTheKeyboard_hasAFrame()
{
    ShownRuns runs;
    runs.click(0);
    const auto grabbed = [&](int row) {
        return runs.view->viewport()
            ->grab(runs.view->visualRect(runs.model.index(row, 0)))
            .toImage();
    };
    const QImage before = grabbed(1);
    runs.key(Qt::Key_Down, Qt::ControlModifier);
    QVERIFY(grabbed(1) != before);
    runs.key(Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(grabbed(1), before);
}

void TstRuns::shownRunOfSeveral_keepsItsFrame()
{
    ShownRuns runs;
    runs.click(0);
    runs.click(1, Qt::ControlModifier);
    const QColor frame = runs.view->palette().color(QPalette::HighlightedText);
    const auto framed = [&] { // of those selected: the ground of others has the frame's colour
        QStringList paths;
        for (const QModelIndex& index : runs.view->selectionModel()->selectedIndexes()) {
            const QPixmap row = runs.view->viewport()->grab(runs.view->visualRect(index));
            if (row.toImage().pixelColor(1, 10) == frame)
                paths << index.data(RunListModel::PathRole).toString();
        }
        return paths.join(QLatin1Char(' '));
    };
    runs.view->clearFocus(); // as when the recipe is worked on
    QCOMPARE(framed(), QStringLiteral("/runs/b"));
    runs.view->setFocus();
    runs.key(Qt::Key_Down, Qt::ControlModifier); // onto one that is not selected
    QCOMPARE(framed(), QStringLiteral("/runs/b"));
    runs.click(2, Qt::ControlModifier);
    runs.click(2, Qt::ControlModifier); // takes it out again
    QCOMPARE(runs.shown(), QStringLiteral("/runs/a"));
    QCOMPARE(framed(), QStringLiteral("/runs/a"));
}

void TstRuns::longRecipeName_isCutInTheMiddle()
{
    ShownRuns runs;
    const QString path = QStringLiteral("/recipes/") + QString(40, u'长') + QStringLiteral(".yaml");
    runs.sidebar.setRecipes({ path }, {});
    auto* view = runs.sidebar.findChild<QListView*>(QStringLiteral("recipeView"));
    QTRY_COMPARE(view->visualRect(view->model()->index(0, 0)).width(), view->viewport()->width());
    QCOMPARE(view->model()->index(0, 0).data(Qt::ToolTipRole).toString(), path);
}

void TstRuns::errorRate_isShownWhole()
{
    run::RunSummary summary = summaryOf("a", run::State::Done);
    summary.precision = "bf16";
    summary.devices = { "cpu", "cpu" };
    summary.testWer = 69.05;
    RunListModel model;
    QListView view;
    view.setModel(&model);
    const auto painted = [&] {
        model.setRuns({ summary });
        QStyleOptionViewItem option;
        option.initFrom(&view);
        option.widget = &view;
        option.rect = { 0, 0, 170, 60 };
        QImage image(option.rect.size(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        RunDelegate().paint(&painter, option, model.index(0, 0));
        painter.end();
        return image.copy(100, 0, 70, 60);
    };
    QCOMPARE(model.rowCount(), 0);
    const QImage narrow = painted();
    QCOMPARE(
        model.index(0, 0).data(RunListModel::FigureRole).toString(), QStringLiteral("WER 69.05 %"));
    QVERIFY(model.index(0, 0)
                .data(Qt::AccessibleTextRole)
                .toString()
                .endsWith(QStringLiteral("done · bf16 · cpu ×2, WER 69.05 %")));
    summary.devices.clear();
    summary.precision.clear();
    QCOMPARE(narrow, painted()); // however much there is before it
}

void TstRuns::devices_areNamedShortly()
{
    QCOMPARE(devicesText({}), QString());
    QCOMPARE(devicesText({ "cpu" }), QStringLiteral("cpu"));
    QCOMPARE(devicesText({ "cpu", "cpu" }), QStringLiteral("cpu ×2"));
    QCOMPARE(devicesText({ "cuda:0", "cuda:3" }), QStringLiteral("cuda:0,3"));
}

void TstRuns::log_isFilteredByRankLevelAndText()
{
    LogModel model;
    LogFilter filter;
    filter.setSourceModel(&model);
    model.setSnapshot(QStringLiteral("/runs/a"), logOf(100));
    QCOMPARE(filter.rowCount(), 100);
    filter.setRank(1);
    QCOMPARE(filter.rowCount(), 50);
    filter.setLeastLevel(levelNumber("error"));
    QCOMPARE(filter.rowCount(), 10);
    filter.setText(QStringLiteral("LINE 99"));
    QCOMPARE(filter.rowCount(), 1);
    QVERIFY(filter.index(0, 0).data().toString().contains(QStringLiteral("rank 1")));
}

void TstRuns::log_appendsRowsAndResetsForAnotherRun()
{
    LogModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.setSnapshot(QStringLiteral("/runs/a"), logOf(10));
    model.setSnapshot(QStringLiteral("/runs/a"), logOf(30));
    QCOMPARE(reset.count(), 1);
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(model.rankCount(), 2);
    model.setSnapshot(QStringLiteral("/runs/b"), logOf(3));
    QCOMPARE(reset.count(), 2);
    QCOMPARE(model.rowCount(), 3);
}

void TstRuns::story_tellsStartValidationsSkippedStepsAndEnd()
{
    RunStory story;
    QVERIFY(story.update(foldRecording(QStringLiteral("digits_bf16"))));
    const std::vector<run::LogLine>& lines = story.lines();
    QVERIFY(std::is_sorted(lines.begin(), lines.end(),
        [](const auto& a, const auto& b) { return a.wallTime < b.wallTime; }));
    const auto count = [&](const char* text) {
        return std::count_if(lines.begin(), lines.end(),
            [text](const run::LogLine& line) { return line.text.find(text) != std::string::npos; });
    };
    QCOMPARE(count("started: bf16"), 1);
    QCOMPARE(count("not finite, step skipped: jackson-train-0229"), 12);
    QVERIFY(count(": valid loss") >= 12);
    QVERIFY(lines.back().text.find("done after 480 steps") != std::string::npos);
    QCOMPARE(lines.back().rank, int64_t { -1 });
}

void TstRuns::wordErrors_areToldOnlyOfTextsWithWords()
{
    run::Evaluated evaluated { "test", 1, 10, 0.5, 12.5, 4, "" };
    QCOMPARE(ratesText(evaluated), QStringLiteral("WER 12.50 %, CER 4.00 %"));
    evaluated.rate = "CER";
    QCOMPARE(ratesText(evaluated), QStringLiteral("CER 4.00 %"));
}

void TstRuns::story_ofARunThatGrows_onlyAppends()
{
    RunStory live;
    for (const size_t events : { 100U, 700U, 1300U, 5000U })
        QVERIFY(live.update(foldRecording(QStringLiteral("digits_bf16"), events)));
    RunStory reopened;
    reopened.update(foldRecording(QStringLiteral("digits_bf16")));
    QCOMPARE(live.lines().size(), reopened.lines().size());
    QVERIFY(!live.update(foldRecording(QStringLiteral("digits_bf16"), 700)));
    QVERIFY(live.lines().size() < reopened.lines().size());
}

/// Each rank writes a file of its own, and none of them at once.
void TstRuns::lateLine_takesItsPlaceInTime()
{
    run::Snapshot snapshot;
    const auto say = [&snapshot](double time, int64_t rank, const char* text) {
        run::fold(snapshot, rank, { time, run::Message { "info", text } });
    };
    LogModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    const auto shown = [&] {
        model.setSnapshot(
            QStringLiteral("/runs/a"), std::make_shared<const run::Snapshot>(snapshot));
        QStringList texts;
        for (int row = 0; row < model.rowCount(); ++row)
            texts << model.index(row, 0).data().toString().section(QLatin1Char(' '), -1);
        return texts.join(QLatin1Char(' '));
    };
    say(10, 0, "first");
    say(30, 1, "third");
    QCOMPARE(shown(), QStringLiteral("first third"));
    const qsizetype before = resets.count();
    const QPersistentModelIndex kept = model.index(0, 0);
    say(20, 0, "second");
    say(40, 0, "fourth");
    QCOMPARE(shown(), QStringLiteral("first second third fourth"));
    QCOMPARE(resets.count(), before);
    QCOMPARE(kept.row(), 0);
}

void TstRuns::resumption_isToldWhenItWas()
{
    run::Snapshot snapshot;
    run::fold(snapshot, -1, { 10, run::PhaseChanged { "starting" } });
    run::fold(snapshot, 0, { 11, run::Message { "info", "placed" } });
    run::fold(snapshot, 0, { 12, run::RunStarted { .precision = "fp32" } });
    run::fold(snapshot, 0, { 20, run::Scalar { "train/loss", 5, 1 } });
    RunStory story;
    story.update(snapshot);
    QCOMPARE(story.lines().back().wallTime, 12.0);
    run::fold(snapshot, 0,
        { 90, run::RunStarted { .precision = "fp32", .attempt = 1, .resumedStep = 5 } });
    story.update(snapshot);
    QVERIFY(story.lines().back().text.find("resumed at step 5") != std::string::npos);
    QCOMPARE(story.lines().back().wallTime, 90.0);
}

void TstRuns::cpu_offersWhatItCanDo()
{
    QComboBox combo;
    fillPrecisions(combo, {}, {});
    choosePrecision(combo, QStringLiteral("bf16"));
    QCOMPARE(chosenPrecision(combo), QStringLiteral("bf16"));
    QVERIFY(precisionRefusal(QStringLiteral("fp32"), {}, {}).isEmpty());
    QVERIFY(!precisionRefusal(QStringLiteral("tf32"), {}, {}).isEmpty());
    QVERIFY(precisionRefusal(QStringLiteral("fp16"), {}, {}).contains(QStringLiteral("bf16")));
}

void TstRuns::gpus_offerWhatAllOfThemCanDo()
{
    const check::Machine machine = twoGpus();
    for (const QString& precision : allPrecisions())
        QVERIFY2(precisionRefusal(precision, { 0 }, machine).isEmpty(), qPrintable(precision));
    QVERIFY(precisionRefusal(QStringLiteral("fp16"), { 0, 1 }, machine).isEmpty());
    QVERIFY(precisionRefusal(QStringLiteral("tf32"), { 0, 1 }, machine)
                .contains(QStringLiteral("Turing")));
}

void TstRuns::chosenGpus_becomeTheDevicesOption()
{
    DeviceModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setMachine(twoGpus());
    QVERIFY(model.setData(model.index(1, DeviceModel::Device), Qt::Unchecked, Qt::CheckStateRole));
    QCOMPARE(model.devicesOption(2), QStringLiteral("cpu:2"));
    QVERIFY(model.setData(model.index(1, DeviceModel::Device), Qt::Checked, Qt::CheckStateRole));
    QVERIFY(model.setData(model.index(2, DeviceModel::Device), Qt::Checked, Qt::CheckStateRole));
    QCOMPARE(model.devicesOption(2), QStringLiteral("cuda:0,1"));
    QVERIFY(model.setData(model.index(0, DeviceModel::Device), Qt::Checked, Qt::CheckStateRole));
    QCOMPARE(model.devicesOption(2), QStringLiteral("cpu:2"));
}

/// A list of precisions that is open, or text that is selected, would be lost.
void TstRuns::machineAskedAgain_changesOnlyItsFigures()
{
    DeviceModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy selection(&model, &DeviceModel::selectionChanged);
    model.setMachine({});
    QCOMPARE(selection.size(), 1);
    check::Machine machine = twoGpus();
    machine.gpus[0].totalMemoryBytes = int64_t { 80 } << 30;
    model.setMachine(machine);
    QCOMPARE(selection.size(), 2);
    const QModelIndex memory = model.index(1, DeviceModel::Memory);
    QCOMPARE(memory.data().toString(), QStringLiteral("80.0 GiB")); // how much is free, nobody says
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    machine.gpus[0].freeMemoryBytes = int64_t { 20 } << 30;
    model.setMachine(machine);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(memory.data().toString(), QStringLiteral("20.0 GiB free of 80.0 GiB"));
    QCOMPARE(selection.size() + reset.size(), 2);
    machine.gpus.pop_back();
    model.setMachine(machine);
    QCOMPARE(selection.size() + reset.size(), 4);
}

void TstRuns::overrides_areReadBackAsTyped()
{
    OverridesModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(model.setData(model.index(0, OverridesModel::Key), QStringLiteral("lr")));
    QVERIFY(model.setData(model.index(0, OverridesModel::Value), QStringLiteral("0.01")));
    QCOMPARE(model.overrides(), QStringList { QStringLiteral("lr=0.01") });
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(model.setData(model.index(0, OverridesModel::Key), QString()));
    QCOMPARE(model.overrides(), QStringList());
    QVERIFY(!overrideError(QString(), QStringLiteral("1")).isEmpty());
    QVERIFY(overrideError(QStringLiteral("enc.dropout"), QStringLiteral("0.1")).isEmpty());
}

/// By the keyboard, in the panel's own table.
void TstRuns::newOverride_isTypedKeyTabValue()
{
    LaunchPanel panel(launchActions());
    panel.show();
    panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    auto* view = panel.findChild<QTableView*>(QStringLiteral("overridesView"));
    const auto type = [](const char* text, Qt::Key end) {
        QWidget* editor = QApplication::focusWidget();
        QTest::keyClicks(editor, QLatin1String(text));
        QTest::keyClick(editor, end);
    };
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
        view->visualRect(view->model()->index(0, OverridesModel::Key)).center());
    type("data_folder", Qt::Key_Tab);
    type("/path", Qt::Key_Tab);
    type("lr", Qt::Key_Tab);
    type("0.01", Qt::Key_Return);
    QTRY_COMPARE(panel.request().overrides,
        QStringList({ QStringLiteral("data_folder=/path"), QStringLiteral("lr=0.01") }));
    QCOMPARE(view->model()->rowCount(), 3);
}

void TstRuns::longKeys_getTheirRoomAndKeepTheirEnds()
{
    LaunchPanel panel(launchActions());
    panel.resize(310, 800);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    const auto* view = panel.findChild<QTableView*>(QStringLiteral("overridesView"));
    const auto width = [view](int column) { return view->columnWidth(column); };
    const auto restore = [&](const char* text) {
        panel.restoreState(
            { { QStringLiteral("overrides"), overridesOf(QString(), QLatin1String(text)) } });
    };
    QVERIFY(!view->wordWrap());
    QCOMPARE(view->textElideMode(), Qt::ElideMiddle);
    restore("lr=/tmp/a/path/that/is/long");
    QVERIFY(width(OverridesModel::Key) < width(OverridesModel::Value));
    restore("++train_conf.find_unused_parameters=true");
    QVERIFY(width(OverridesModel::Key) > width(OverridesModel::Value));
    QVERIFY(width(OverridesModel::Value) > 60);
    restore("=1");
    const QString tip = view->model()->index(0, 0).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.startsWith(QStringLiteral("=1\n")), qPrintable(tip));
}

void TstRuns::commandLine_isQuotedForAShell()
{
    const LaunchRequest request { .recipe = QStringLiteral("/my recipes/it's.yaml"),
        .devices = QStringLiteral("cpu:2"),
        .precision = QStringLiteral("bf16"),
        .evalPrecision = {},
        .overrides = { QStringLiteral("lr=0.01"), QStringLiteral("name=a b") } };
    QCOMPARE(commandLine(QStringLiteral("kymo"), trainArguments(request, {})),
        QStringLiteral("kymo train '/my recipes/it'\\''s.yaml' --devices cpu:2 --precision bf16 "
                       "lr=0.01 'name=a b'"));
}

void TstRuns::launchState_isRestored()
{
    LaunchPanel before(launchActions());
    before.setMachine(twoGpus(), {});
    QCOMPARE(before.request().devices,
        QStringLiteral("cuda:0")); // a GPU that is there is what one wants
    before.restoreState({ { QStringLiteral("gpus"), QVariantList() },
        { QStringLiteral("cpuRanks"), 3 }, { QStringLiteral("precision"), QStringLiteral("bf16") },
        { QStringLiteral("compared"), QStringList { QStringLiteral("bf16") } },
        { QStringLiteral("overrides"), overridesOf(QString(), QStringLiteral("lr=1")) } });
    QCOMPARE(before.request().devices, QStringLiteral("cpu:3"));
    LaunchPanel after(launchActions());
    after.setMachine(twoGpus(), {});
    after.restoreState(before.state());
    QCOMPARE(after.request().devices, QStringLiteral("cpu:3"));
    QCOMPARE(after.request().precision, QStringLiteral("bf16"));
    QCOMPARE(after.request().overrides, QStringList { QStringLiteral("lr=1") });
    QCOMPARE(after.comparedPrecisions(), QStringList { QStringLiteral("bf16") });
    after.restoreState({});
    QCOMPARE(after.comparedPrecisions(),
        QStringList({ QStringLiteral("fp32"), QStringLiteral("bf16") }));
}

/// The rest does not; and what is chosen meanwhile counts.
void TstRuns::gpusOfLastTime_waitForTheMachine()
{
    const QVariantMap last { { QStringLiteral("gpus"), QVariantList { 1 } },
        { QStringLiteral("cpuRanks"), 3 } };
    for (const bool isCpuChosen : { false, true }) {
        LaunchPanel panel(launchActions());
        panel.restoreState(last);
        QCOMPARE(panel.request().devices, QStringLiteral("cpu:3"));
        QCOMPARE(panel.state().value(QStringLiteral("gpus")).toList(), QVariantList { 1 });
        QAbstractItemModel* devices
            = panel.findChild<QTreeView*>(QStringLiteral("deviceView"))->model();
        if (isCpuChosen)
            QVERIFY(devices->setData(devices->index(0, 0), Qt::Checked, Qt::CheckStateRole));
        panel.setMachine(twoGpus(), {});
        QCOMPARE(panel.request().devices,
            isCpuChosen ? QStringLiteral("cpu:3") : QStringLiteral("cuda:1"));
    }
    LaunchPanel first(launchActions());
    QVERIFY(!first.state().contains(QStringLiteral("gpus"))); // or the next would take the CPU
}

/// What is right for one recipe may be wrong for another, or be a key that it has not.
void TstRuns::overrides_areOfTheRecipeTheyWereTypedFor()
{
    const QString one = QStringLiteral("/recipes/one.yaml");
    const QString two = QStringLiteral("/recipes/two.yaml");
    const QStringList rate { QStringLiteral("lr=0.5") };
    LaunchPanel panel(launchActions());
    panel.setRecipe(one);
    QAbstractItemModel* model
        = panel.findChild<QTableView*>(QStringLiteral("overridesView"))->model();
    QVERIFY(model->setData(model->index(0, OverridesModel::Key), QStringLiteral("lr")));
    QVERIFY(model->setData(model->index(0, OverridesModel::Value), QStringLiteral("0.5")));
    QCOMPARE(panel.request().overrides, rate);
    panel.setRecipe(two);
    QCOMPARE(panel.request().overrides, QStringList());
    LaunchPanel next(launchActions());
    next.setRecipe(two);
    next.restoreState(panel.state());
    QCOMPARE(next.request().overrides, QStringList());
    for (LaunchPanel* each : { &panel, &next }) {
        each->setRecipe(one);
        QCOMPARE(each->request().overrides, rate);
    }
}

QTEST_MAIN(TstRuns)
#include "tst_runs.moc"
