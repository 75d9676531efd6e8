#include "tests/registry.h"
#include "tests/ui/run_summaries.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/sidebar.h"

#include <QAbstractItemModelTester>
#include <QListView>
#include <QSignalSpy>
#include <QTest>

using namespace earwright;
using namespace earwright::ui;

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

/// Which runs are selected and which one is shown.
class TstSidebar : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runThatMovesUp_keepsSelectionAndRow();
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
};

void TstSidebar::runThatMovesUp_keepsSelectionAndRow()
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

void TstSidebar::runNotListedYet_isSelectedOnceItIs()
{
    RunListModel model;
    Sidebar sidebar(&model, {});
    sidebar.selectRun(QStringLiteral("/runs/late"));
    QCOMPARE(sidebar.currentRun(), QString());
    model.setRuns({ summaryOf("late", run::State::Running) });
    QCOMPARE(sidebar.currentRun(), QStringLiteral("/runs/late"));
}

/// The window selects what became current, while the click that made it so is still at work.
void TstSidebar::controlClick_addsARunToTheSelection()
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

void TstSidebar::keysThatMoveOn_leaveTheShownRun()
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

void TstSidebar::runTakenOutOfTheSelection_isNotShownAnyMore()
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

void TstSidebar::emptiedSelection_goesBackToTheShownRun()
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
void TstSidebar::onlyRunTakenOut_isNotOpened()
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

void TstSidebar::runThatVanishesWhileShown_leavesItsPlaceToANeighbour()
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
void TstSidebar::awaitedRun_outlivesTheListBeforeIt()
{
    ShownRuns runs;
    runs.click(1);
    runs.sidebar.selectRun(QStringLiteral("/runs/y"));
    QCOMPARE(runs.selected(), QString());
    runs.model.setRuns({ summaryOf("x", run::State::Done), summaryOf("y", run::State::Done) });
    QCOMPARE(runs.shown(), QStringLiteral("/runs/y"));
    QCOMPARE(runs.selected(), QStringLiteral("/runs/y"));
}

void TstSidebar::runWithTheKeyboard_hasAFrame()
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

void TstSidebar::shownRunOfSeveral_keepsItsFrame()
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

void TstSidebar::longRecipeName_isCutInTheMiddle()
{
    ShownRuns runs;
    const QString path = QStringLiteral("/recipes/") + QString(40, u'长') + QStringLiteral(".yaml");
    runs.sidebar.setRecipes({ path }, {});
    auto* view = runs.sidebar.findChild<QListView*>(QStringLiteral("recipeView"));
    QTRY_COMPARE(view->visualRect(view->model()->index(0, 0)).width(), view->viewport()->width());
    QCOMPARE(view->model()->index(0, 0).data(Qt::ToolTipRole).toString(), path);
}

EARWRIGHT_TEST(TstSidebar)
#include "tst_sidebar.moc"
