#include "core/run/event_log.h"
#include "tests/registry.h"
#include "tests/ui/desk.h"
#include "tests/ui/hotword_run.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/compare_page.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/launch/earwright_program.h"
#include "ui/launch/launch_panel.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"
#include "ui/session/main_window.h"
#include "ui/session/session.h"
#include "ui/widgets/action_registry.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/plot_board.h"

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAccessibleWidget>
#include <QApplication>
#include <QListView>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>

using namespace earwright;
using namespace earwright::ui;

namespace {

/// Answers the next message box that opens with the button of a name.
void answerNextDialog(const QString& button)
{
    auto* watch = new QTimer(qApp);
    QObject::connect(watch, &QTimer::timeout, watch, [watch, button] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            watch->deleteLater();
            box->findChild<QPushButton*>(button)->click();
        }
    });
    watch->start(10);
}

QString unnamedControls(QWidget& window)
{
    QStringList unnamed;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        const bool isControl = widget->focusPolicy() != Qt::NoFocus && widget->isVisibleTo(&window)
            && !widget->inherits("QScrollBar")
            && !qobject_cast<QAbstractSpinBox*>(widget->parent());
        QAccessibleInterface* accessible = isControl
            ? QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget))
            : nullptr;
        if (accessible && accessible->text(QAccessible::Name).isEmpty())
            unnamed << QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ')
                    + widget->objectName();
    }
    return unnamed.join(QStringLiteral(", "));
}

} // namespace

class TstWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fitsOntoASmallLaptop();
    void emptyWindow_saysWhatToDoOnEveryPage();
    void runsOnDisk_areListedAndShown();
    void comparedRuns_areRestored();
    void selectedRuns_areWhatAnEmptyComparisonShows();
    void controls_haveNames();
    void demoRecipe_isBrokenFixedTrainedStoppedAndFoundAgain();
    void severalPrecisions_areTrainedAndComparedAsTheyRun();
};

void TstWindow::emptyWindow_saysWhatToDoOnEveryPage()
{
    Desk desk;
    desk.open();
    for (const char* page : { "view.recipe", "view.monitor", "view.compare" }) {
        desk.action(page)->trigger();
        QWidget* shown
            = desk.window->findChild<QStackedWidget*>(QStringLiteral("pages"))->currentWidget();
        const auto buttons = shown->findChildren<QPushButton*>();
        QVERIFY2(std::any_of(buttons.begin(), buttons.end(),
                     [](const QPushButton* button) { return button->isVisible(); }),
            page);
    }
    QVERIFY(!desk.action("run.start")->isEnabled());
    QVERIFY(!desk.action("run.stop")->isEnabled());
}

void TstWindow::runsOnDisk_areListedAndShown()
{
    Desk desk;
    const QString first = writeRecordedRun(
        desk.runsRoot(), QStringLiteral("digits-fp32"), QStringLiteral("digits_fp32"));
    const QString second = writeRecordedRun(
        desk.runsRoot(), QStringLiteral("数字 bf16"), QStringLiteral("digits_bf16"));
    desk.open();
    QTRY_COMPARE(desk.window->runs().rowCount(), 2);
    QCOMPARE(desk.stateOf(first), run::State::Done);
    desk.window->selectRun(second);
    desk.action("view.monitor")->trigger();
    QTRY_COMPARE(desk.numLossPoints(), size_t { 480 });
    desk.lossPlot()->refresh();
    const std::vector<run::Scalar> logged = loggedPoints(second, "train/loss");
    const std::vector<run::Point> shown = desk.lossPlot()->points(QStringLiteral("train/loss"));
    QCOMPARE(shown.size(), logged.size());
    for (size_t i = 0; i < logged.size(); ++i) {
        QCOMPARE(shown[i].step, logged[i].step);
        QVERIFY(shown[i].value == logged[i].value);
    }
}

void TstWindow::comparedRuns_areRestored()
{
    Desk desk;
    const QStringList runs { writeRecordedRun(desk.runsRoot(), QStringLiteral("fp32"),
                                 QStringLiteral("digits_fp32")),
        writeRecordedRun(desk.runsRoot(), QStringLiteral("bf16"), QStringLiteral("digits_bf16")) };
    desk.open();
    QTRY_COMPARE(desk.window->runs().rowCount(), 2);
    desk.window->compareRuns(runs);
    QTRY_COMPARE(desk.window->findChild<ComparePage*>()->model()->rowCount(), 2);
    QVERIFY(desk.window->close());
    desk.reopen();
    QCOMPARE(desk.page(), int { MainWindow::ComparePageIndex });
    QTRY_COMPARE(desk.window->findChild<ComparePage*>()->model()->rowCount(), 2);
}

void TstWindow::selectedRuns_areWhatAnEmptyComparisonShows()
{
    Desk desk;
    for (const char* name : { "digits_fp32", "digits_bf16" })
        writeRecordedRun(desk.runsRoot(), QLatin1String(name), QLatin1String(name));
    desk.open();
    QTRY_COMPARE(desk.window->runs().rowCount(), 2);
    desk.window->findChild<QListView*>(QStringLiteral("runView"))->selectAll();
    desk.action("view.compare")->trigger();
    QTRY_COMPARE(desk.window->findChild<ComparePage*>()->model()->rowCount(), 2);
    QCOMPARE(desk.page(), int { MainWindow::ComparePageIndex });
}

void TstWindow::controls_haveNames()
{
    Desk desk;
    const QString run
        = writeRecordedRun(desk.runsRoot(), QStringLiteral("fp32"), QStringLiteral("digits_fp32"));
    const QString hotwords = writeHotwordRun(desk.runsRoot(), QStringLiteral("seaco"));
    writeManifests(desk.folder.filePath(QStringLiteral("data")));
    desk.open();
    desk.window->openRecipe(
        writeDemoRecipe(desk.folder.path(), desk.folder.filePath(QStringLiteral("data"))));
    for (const char* shown : { "view.form", "edit.replace", "edit.outline" })
        desk.action(shown)->trigger();
    QCOMPARE(unnamedControls(*desk.window), QString());
    desk.window->compareRuns({ run });
    QCOMPARE(unnamedControls(*desk.window), QString());
    desk.window->selectRun(run);
    for (const char* view :
        { "view.monitor", "view.evaluations", "view.hotwords", "view.utterances" }) {
        desk.action(view)->trigger();
        QCOMPARE(unnamedControls(*desk.window), QString());
    }
    desk.window->selectRun(hotwords);
    QTRY_COMPARE(
        desk.window->findChild<FigureTable*>(QStringLiteral("hotwordTable"))->model()->rowCount(),
        4);
    QCOMPARE(unnamedControls(*desk.window), QString());
    desk.action("view.runTable")->trigger();
    QCOMPARE(unnamedControls(*desk.window), QString());
}

void TstWindow::demoRecipe_isBrokenFixedTrainedStoppedAndFoundAgain()
{
    if (const QString missing = missingForTraining(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    Desk desk;
    RecipePage* page = desk.openDemo();
    QVERIFY(page);
    const QString path = page->path();
    QCOMPARE(page->problems()->errorCount(), 0);
    const QString sound = page->editor()->text();
    page->editor()->replaceText(
        QString(sound).replace(QStringLiteral("\n    enc: !ref <enc>\n"), QStringLiteral("\n")));
    QTRY_VERIFY(page->problems()->errorCount() > 0);
    QVERIFY(page->problems()->at(0).rule.starts_with("coverage"));
    page->editor()->replaceText(
        withSetting(sound, QStringLiteral("channels"), QStringLiteral("32")));
    QTRY_COMPARE(page->problems()->errorCount(), 0);

    desk.window->launchPanel()->findChild<QSpinBox*>(QStringLiteral("cpuRanks"))->setValue(2);
    desk.action("run.start")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!desk.window->selectedRun().isEmpty(), kTrainingTimeMs);
    const QString run = desk.window->selectedRun();
    QCOMPARE(desk.page(), int { MainWindow::MonitorPageIndex });
    QTRY_VERIFY_WITH_TIMEOUT(desk.numLossPoints() >= 3, kTrainingTimeMs);
    const size_t before = desk.numLossPoints();
    QTRY_VERIFY_WITH_TIMEOUT(desk.numLossPoints() > before, kTrainingTimeMs);
    // The list is a second behind.
    QTRY_VERIFY_WITH_TIMEOUT(desk.window->runs().livePaths().contains(run), kTrainingTimeMs);

    answerNextDialog(QStringLiteral("leaveRunning"));
    QVERIFY(desk.window->close());
    desk.reopen();
    QTRY_COMPARE(desk.window->selectedRun(), run);
    QTRY_VERIFY_WITH_TIMEOUT(desk.window->runs().livePaths().contains(run), kTrainingTimeMs);
    QTRY_VERIFY_WITH_TIMEOUT(desk.numLossPoints() > before, kTrainingTimeMs);

    QTRY_VERIFY_WITH_TIMEOUT(desk.action("run.stop")->isEnabled(), kTrainingTimeMs);
    desk.action("run.stop")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(desk.stateOf(run), run::State::Stopped, kTrainingTimeMs);
    const std::vector<run::Scalar> logged = loggedPoints(run, "train/loss");
    QTRY_COMPARE_WITH_TIMEOUT(desk.numLossPoints(), logged.size(), kTrainingTimeMs);
    desk.lossPlot()->refresh();
    const std::vector<run::Point> shown = desk.lossPlot()->points(QStringLiteral("train/loss"));
    QCOMPARE(shown.size(), logged.size());
    for (size_t i = 0; i < logged.size(); ++i) {
        QCOMPARE(shown[i].step, logged[i].step);
        QVERIFY(shown[i].value == logged[i].value);
    }
    QVERIFY(desk.window->close());
    desk.reopen();
    QTRY_COMPARE_WITH_TIMEOUT(desk.stateOf(run), run::State::Stopped, kTrainingTimeMs);
    QCOMPARE(desk.window->recipes()->paths(), QStringList { path });
    QTRY_COMPARE_WITH_TIMEOUT(desk.numLossPoints(), logged.size(), kTrainingTimeMs);
}

void TstWindow::severalPrecisions_areTrainedAndComparedAsTheyRun()
{
    if (const QString missing = missingForTraining(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    Desk desk;
    QVERIFY(desk.openDemo({ { QStringLiteral("channels"), QStringLiteral("16") },
        { QStringLiteral("number_of_epochs"), QStringLiteral("1") } }));
    QTRY_COMPARE_WITH_TIMEOUT(desk.window->launchPanel()->comparedPrecisions(),
        QStringList({ QStringLiteral("fp32"), QStringLiteral("bf16") }), kTrainingTimeMs);
    desk.action("run.compare")->trigger();
    const CompareModel* model = desk.window->findChild<ComparePage*>()->model();
    QTRY_COMPARE_WITH_TIMEOUT(model->rowCount(), 2, kTrainingTimeMs);
    QCOMPARE(desk.page(), int { MainWindow::ComparePageIndex });
    QVERIFY(!desk.window->selectedRun().isEmpty()); // the one that Stop would stop
    QStringList precisions;
    for (const run::RunSummary& summary : std::vector(desk.window->runs().runs())) {
        QTRY_COMPARE_WITH_TIMEOUT(
            desk.stateOf(runPathOf(summary)), run::State::Done, kTrainingTimeMs);
        precisions << QString::fromStdString(summary.precision);
    }
    precisions.sort();
    QCOMPARE(precisions, QStringList({ QStringLiteral("bf16"), QStringLiteral("fp32") }));
}

/// And onto half of 1920 by 1080 pixels, whatever page is in front.
void TstWindow::fitsOntoASmallLaptop()
{
    Desk desk;
    const QString run = writeHotwordRun(
        desk.runsRoot(), QStringLiteral("一个很长的名字用来看看窗口会不会因此变得更宽-seaco"));
    desk.open();
    const auto isSmall = [&desk] {
        const QSize least = desk.window->minimumSizeHint();
        if (least.width() > 960 || least.height() > 600)
            qWarning("%d x %d", least.width(), least.height());
        return least.width() <= 960 && least.height() <= 600;
    };
    QVERIFY(isSmall());
    desk.window->compareRuns({ run });
    QVERIFY(isSmall());
    desk.window->selectRun(run);
    desk.action("view.monitor")->trigger();
    desk.window->resize(960, 600);
    QCoreApplication::processEvents();
    QVERIFY(isSmall());
    QCOMPARE(desk.window->size(), QSize(960, 600));
    desk.action("view.utterances")->trigger();
    QVERIFY(isSmall());
}

EARWRIGHT_TEST(TstWindow)
#include "tst_window.moc"
