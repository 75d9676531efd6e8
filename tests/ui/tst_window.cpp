#include "core/run/event_log.h"
#include "tests/ui/desk.h"
#include "tests/ui/hotword_run.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/compare_page.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/launch/launch_panel.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"
#include "ui/session/action_registry.h"
#include "ui/session/command_palette.h"
#include "ui/session/kymo_program.h"
#include "ui/session/main_window.h"
#include "ui/session/session.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/info_bar.h"
#include "ui/widgets/plot_board.h"

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAccessibleWidget>
#include <QApplication>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTreeView>

using namespace kymo;
using namespace kymo::ui;

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
    void oneOfSeveralSelectedRuns_isNamedByWhatActsOnIt();
    void brokenRecipe_cannotBeStarted();
    void refusedStart_showsTheErrorUntilItIsMended();
    void everyAction_isInThePaletteAndShortcutsDiffer();
    void palette_runsTheActionFound();
    void palette_findsWhatAButtonSays();
    void palette_matchesWords_data();
    void palette_matchesWords();
    void palette_withoutAMatchSaysSoAndStays();
    void palette_showsWhatIsOn();
    void plots_areExportedAndZoomedFromThePalette();
    void themeIcon_isLightOnASelectedRow();
    void controls_haveNames();
    void missingProgram_isSaidInWords();
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

void TstWindow::oneOfSeveralSelectedRuns_isNamedByWhatActsOnIt()
{
    Desk desk;
    for (const char* name : { "digits_fp32", "digits_bf16" })
        writeRecordedRun(desk.runsRoot(),
            QStringLiteral("one & ") + QString(60, u'长') + QLatin1String(name),
            QLatin1String(name));
    desk.open();
    QTRY_COMPARE(desk.window->runs().rowCount(), 2);
    auto* view = desk.window->findChild<QListView*>(QStringLiteral("runView"));
    QAction& kill = *desk.action("run.kill");
    view->setCurrentIndex(desk.window->runs().index(0, 0));
    QCOMPARE(plainText(kill), QStringLiteral("Kill the Selected Run"));
    view->selectAll();
    const QString name = QFileInfo(desk.window->selectedRun()).fileName();
    const QString tip = QStringLiteral("Kill %1 (Ctrl+Shift+F5)").arg(name);
    QCOMPARE(kill.toolTip(), tip);
    QVERIFY2(kill.text().startsWith(QStringLiteral("&Kill one && 长"))
            && kill.text().endsWith(name.right(6) + u'…') && kill.text().size() < 40,
        qPrintable(kill.text()));
    const ActionModel listed(desk.window->actions());
    const int row = static_cast<int>(desk.window->actions().all().indexOf(&kill));
    QCOMPARE(listed.index(row, 0).data(Qt::ToolTipRole).toString(), tip);
    const CommandPalette palette(desk.window->actions());
    QCOMPARE(palette.findChild<QTreeView*>()->textElideMode(), Qt::ElideMiddle);
    QCOMPARE(desk.action("run.stop")->iconText(), QStringLiteral("Stop")); // the tool bar's
}

void TstWindow::brokenRecipe_cannotBeStarted()
{
    Desk desk;
    writeManifests(desk.folder.filePath(QStringLiteral("data")));
    const QString path
        = writeDemoRecipe(desk.folder.path(), desk.folder.filePath(QStringLiteral("data")));
    desk.open();
    RecipePage* page = desk.openRecipe(path);
    page->editor()->append(QStringLiteral("more: !ref <nothing_of_that_name>\n"));
    QTRY_COMPARE(page->problems()->errorCount(), 1);
    desk.action("run.start")->trigger();
    const auto* bar
        = desk.window->centralWidget()->findChild<InfoBar*>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(bar->isVisible());
    QVERIFY(bar->text().contains(QStringLiteral("1 error")));
    QVERIFY(!QFileInfo::exists(desk.runsRoot()));
    page->discardChanges();
}

/// Past a note and a warning; and the word that there are errors goes with them.
void TstWindow::refusedStart_showsTheErrorUntilItIsMended()
{
    Desk desk;
    writeManifests(desk.folder.filePath(QStringLiteral("data")));
    const QString path = writeDemoRecipe(desk.folder.path(),
        desk.folder.filePath(QStringLiteral("data")),
        { { QStringLiteral("lr"), QStringLiteral("0.002\nmine: 1\nckpt_interval_minute: 15") } });
    desk.open();
    RecipePage* page = desk.openRecipe(path);
    const auto status = [&desk] {
        QStringList shown;
        for (const QLabel* label : desk.window->statusBar()->findChildren<QLabel*>())
            shown << label->text();
        return shown;
    };
    const QString sound = page->editor()->text();
    QVERIFY2(status().contains(QStringLiteral("1 warning, 1 note")),
        qPrintable(status().join(QLatin1Char('|'))));
    page->editor()->append(QStringLiteral("more: !ref <nothing_of_that_name>\n"));
    QTRY_VERIFY2(status().contains(QStringLiteral("1 error, 1 warning, 2 notes")),
        qPrintable(status().join(QLatin1Char('|'))));
    page->editor()->goTo({ 1, 1 });
    desk.action("run.start")->trigger();
    QCOMPARE(
        page->editor()->text(page->editor()->caret().line - 1).left(5), QStringLiteral("more:"));
    const auto* bar
        = desk.window->centralWidget()->findChild<InfoBar*>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(bar->isVisible());
    page->editor()->replaceText(sound);
    QTRY_VERIFY(!bar->isVisible());
    page->discardChanges();
}

void TstWindow::everyAction_isInThePaletteAndShortcutsDiffer()
{
    Desk desk;
    desk.open();
    ActionModel model(desk.window->actions());
    QCOMPARE(model.rowCount(), static_cast<int>(desk.window->actions().all().size()));
    QSet<QString> shortcuts;
    QSet<QString> texts;
    for (const QAction* action : desk.window->actions().all()) {
        QVERIFY2(!texts.contains(plainText(*action)), qPrintable(plainText(*action)));
        texts << plainText(*action);
        for (const QKeySequence& keys : action->shortcuts()) {
            QVERIFY2(!shortcuts.contains(keys.toString()), qPrintable(keys.toString()));
            shortcuts << keys.toString();
        }
    }
}

void TstWindow::palette_runsTheActionFound()
{
    Desk desk;
    desk.open();
    QTest::keyClick(desk.window.get(), Qt::Key_K, Qt::ControlModifier);
    auto* palette = desk.window->findChild<CommandPalette*>();
    QVERIFY(palette);
    QTest::keyClicks(palette->findChild<QLineEdit*>(), QStringLiteral("compare"));
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    QTRY_COMPARE(desk.page(), int { MainWindow::ComparePageIndex });
}

void TstWindow::palette_findsWhatAButtonSays()
{
    Desk desk;
    desk.open();
    CommandPalette palette(desk.window->actions());
    QTest::keyClicks(palette.findChild<QLineEdit*>(), QStringLiteral("queue"));
    const QAbstractItemModel* found = palette.findChild<QTreeView*>()->model();
    QCOMPARE(found->index(0, 0).data().toString(), plainText(*desk.action("run.queue")));
    QVERIFY(found->rowCount() < desk.window->actions().all().size());
}

void TstWindow::palette_matchesWords_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("action");
    QTest::addColumn<int>("rank");
    const auto row = [](const char* typed, const char* action, int rank) {
        QTest::newRow(typed) << QString::fromUtf8(typed) << QString::fromUtf8(action) << rank;
    };
    row("start", "Start Training", 0);
    row("train", "Start Training", 1);
    row("ain", "Start Training", 2);
    row("stt", "Start Training", 3);
    row("st tr", "Start Training", 3);
    row("tts", "Start Training", 4);
    row("export", "Explain the Word at the Caret", 4);
    row("log", "Fold All", 4);
    row("quit", "Put the Selected Runs into the Queue", 4);
    row("导曲", "导出 曲线", 3);
}

void TstWindow::palette_matchesWords()
{
    QFETCH(QString, typed);
    QFETCH(QString, action);
    QTEST(matchRank(typed, action), "rank");
}

void TstWindow::palette_withoutAMatchSaysSoAndStays()
{
    Desk desk;
    desk.open();
    CommandPalette palette(desk.window->actions());
    palette.setAttribute(Qt::WA_DeleteOnClose, false);
    palette.show();
    auto* line = palette.findChild<QLineEdit*>();
    const auto* noMatch = palette.findChild<QLabel*>(QStringLiteral("noMatch"));
    QVERIFY(!noMatch->isVisible());
    for (const char* typed : { "qqq", "stop the selected run" }) { // none; one that is disabled
        line->selectAll();
        QTest::keyClicks(line, QLatin1String(typed));
        QCOMPARE(noMatch->isVisible(), qstrcmp(typed, "qqq") == 0);
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY2(palette.isVisible(), typed);
    }
}

void TstWindow::palette_showsWhatIsOn()
{
    Desk desk;
    desk.open();
    desk.action("view.log")->trigger();
    QVERIFY(!desk.action("view.log")->isChecked());
    const ActionModel model(desk.window->actions());
    const auto state = [&](const char* id) {
        const int row = static_cast<int>(desk.window->actions().all().indexOf(desk.action(id)));
        return model.index(row, 1).data(Qt::CheckStateRole);
    };
    QCOMPARE(state("view.problems"), QVariant(Qt::Checked));
    QCOMPARE(state("view.log"), QVariant(Qt::Unchecked));
    QVERIFY(!state("file.new").isValid());
}

void TstWindow::plots_areExportedAndZoomedFromThePalette()
{
    Desk desk;
    const QString run
        = writeRecordedRun(desk.runsRoot(), QStringLiteral("fp32"), QStringLiteral("digits_fp32"));
    desk.open();
    QAction* exported = desk.action("file.export");
    QAction* reset = desk.action("view.resetZoom");
    QVERIFY(!exported->isEnabled() && !reset->isEnabled());
    desk.window->selectRun(run);
    QVERIFY(!exported->isEnabled()); // no plots on the recipes' page
    desk.action("view.monitor")->trigger();
    QVERIFY(exported->isEnabled() && reset->isEnabled());
    QTRY_COMPARE(desk.numLossPoints(), size_t { 480 });
    desk.lossPlot()->zoomX(100, 200);
    QVERIFY(desk.lossPlot()->isZoomed());
    reset->trigger();
    QVERIFY(!desk.lossPlot()->isZoomed());
    exported->trigger();
    auto* dialog = desk.window->findChild<QFileDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    dialog->reject();
    desk.window->compareRuns({ run });
    QVERIFY(exported->isEnabled());
    desk.action("view.recipe")->trigger();
    QVERIFY(!exported->isEnabled());
}

/// Desktops' icons are drawn for one background; a list's selected row has another.
void TstWindow::themeIcon_isLightOnASelectedRow()
{
    const QTemporaryDir folder;
    const QString theme = folder.filePath(QStringLiteral("kymo-test"));
    QVERIFY(QDir().mkpath(theme + QStringLiteral("/16")));
    writeFile(theme + QStringLiteral("/index.theme"),
        "[Icon Theme]\nName=kymo-test\nDirectories=16\n\n[16]\nSize=16\n");
    QImage dark(16, 16, QImage::Format_ARGB32);
    dark.fill(QColor(40, 40, 40));
    QVERIFY(dark.save(theme + QStringLiteral("/16/some-icon.png")));
    const QStringList paths = QIcon::themeSearchPaths();
    const QString before = QIcon::themeName();
    QIcon::setThemeSearchPaths({ folder.path() });
    QIcon::setThemeName(QStringLiteral("kymo-test"));
    const auto image = [](int size, QIcon::Mode mode) {
        return icon(QStringLiteral("some-icon")).pixmap(size, mode).toImage();
    };
    const QColor light = QApplication::palette().color(QPalette::HighlightedText);
    QCOMPARE(image(16, QIcon::Normal).pixelColor(8, 8), QColor(40, 40, 40));
    QCOMPARE(image(16, QIcon::Selected).pixelColor(8, 8), light);
    for (const QIcon::Mode mode : { QIcon::Normal, QIcon::Selected }) { // where there is more room
        QCOMPARE(image(32, mode).pixelColor(4, 4).alpha(), 0);
        QCOMPARE(image(32, mode).pixelColor(22, 22).alpha(), 255);
    }
    QIcon::setThemeSearchPaths(paths);
    QIcon::setThemeName(before);
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
    for (const char* view : { "view.monitor", "view.evaluations", "view.hotwords" }) {
        desk.action(view)->trigger();
        QCOMPARE(unnamedControls(*desk.window), QString());
    }
    desk.window->selectRun(hotwords);
    QTRY_COMPARE(
        desk.window->findChild<FigureTable*>(QStringLiteral("hotwordTable"))->model()->rowCount(),
        4);
    QCOMPARE(unnamedControls(*desk.window), QString());
}

void TstWindow::missingProgram_isSaidInWords()
{
    const QByteArray before = qgetenv("KYMO_BINARY");
    qputenv("KYMO_BINARY", "/nowhere/kymo");
    Desk desk;
    writeManifests(desk.folder.filePath(QStringLiteral("data")));
    desk.open();
    desk.openRecipe(
        writeDemoRecipe(desk.folder.path(), desk.folder.filePath(QStringLiteral("data"))));
    desk.action("run.start")->trigger();
    const auto* bar
        = desk.window->centralWidget()->findChild<InfoBar*>(QString(), Qt::FindDirectChildrenOnly);
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->text().contains(QStringLiteral("/nowhere/kymo")), qPrintable(bar->text()));
    QCOMPARE(
        QDir(desk.runsRoot()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
    before.isEmpty() ? qunsetenv("KYMO_BINARY") : qputenv("KYMO_BINARY", before);
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
}

QTEST_MAIN(TstWindow)
#include "tst_window.moc"
