#include "tests/registry.h"
#include "tests/ui/desk.h"
#include "tests/ui/run_folders.h"
#include "ui/session/command_palette.h"
#include "ui/session/help_dialog.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QStatusBar>
#include <QTextBrowser>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>

using namespace earwright;
using namespace earwright::ui;

/// The window's actions: what they are called, and how the palette finds them.
class TstCommandPalette : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneOfSeveralSelectedRuns_isNamedByWhatActsOnIt();
    void everyAction_isInThePaletteAndShortcutsDiffer();
    void palette_runsTheActionFound();
    void palette_findsWhatAButtonSays();
    void palette_isGroupedByMenu();
    void palette_matchesWords_data();
    void palette_matchesWords();
    void palette_withoutAMatchSaysSoAndStays();
    void palette_showsWhatIsOn();
    void toolBar_hasPauseAndContinueBesideStop();
    void plots_areExportedAndZoomedFromThePalette();
    void plots_areShownAloneByF11();
    void shortcuts_areListedByMenu();
    void help_opensThePagesOfDocs();
    void helpLink_isFollowedInTheListAndBack();
    void help_isOpenedOnce();
};

void TstCommandPalette::oneOfSeveralSelectedRuns_isNamedByWhatActsOnIt()
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
    view->setCurrentIndex(view->model()->index(0, 0));
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

void TstCommandPalette::everyAction_isInThePaletteAndShortcutsDiffer()
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

void TstCommandPalette::palette_runsTheActionFound()
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

void TstCommandPalette::palette_findsWhatAButtonSays()
{
    Desk desk;
    desk.open();
    CommandPalette palette(desk.window->actions());
    QTest::keyClicks(palette.findChild<QLineEdit*>(), QStringLiteral("queue"));
    const QAbstractItemModel* found = palette.findChild<QTreeView*>()->model();
    QCOMPARE(found->index(0, 0).data().toString(), plainText(*desk.action("run.queue")));
    QVERIFY(found->rowCount() < desk.window->actions().all().size());
}

void TstCommandPalette::palette_isGroupedByMenu()
{
    Desk desk;
    desk.open();
    CommandPalette palette(desk.window->actions());
    const auto* view = palette.findChild<QTreeView*>();
    QStringList menus;
    for (int row = 0; row < view->model()->rowCount(); ++row)
        if (const QString menu = view->model()->index(row, 3).data().toString();
            menus.isEmpty() || menus.last() != menu)
            menus << menu;
    QCOMPARE(menus,
        QStringList({ QStringLiteral("File"), QStringLiteral("Edit"), QStringLiteral("Run"),
            QStringLiteral("View"), QStringLiteral("Help") })); // each once, and none without
    QTest::keyClicks(palette.findChild<QLineEdit*>(), QStringLiteral("help"));
    QCOMPARE(view->model()->rowCount(), 3);
}

void TstCommandPalette::palette_matchesWords_data()
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
    row("st tr", "Start Training", 2);
    row("ave check", "Save a Checkpoint of the Selected Run", 2);
    row("tts", "Start Training", 4);
    row("export", "Explain the Word at the Caret", 4);
    row("log", "Fold All", 4);
    row("quit", "Put the Selected Runs into the Queue", 4);
    row("导曲", "导出 曲线", 3);
}

void TstCommandPalette::palette_matchesWords()
{
    QFETCH(QString, typed);
    QFETCH(QString, action);
    QTEST(matchRank(typed, action), "rank");
}

void TstCommandPalette::palette_withoutAMatchSaysSoAndStays()
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

void TstCommandPalette::palette_showsWhatIsOn()
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

void TstCommandPalette::toolBar_hasPauseAndContinueBesideStop()
{
    Desk desk;
    desk.open();
    const auto* bar = desk.window->findChild<QToolBar*>(QStringLiteral("mainToolBar"));
    const auto at = bar->actions().indexOf(desk.action("run.stop"));
    QVERIFY(at >= 0);
    QCOMPARE(bar->actions().value(at + 1), desk.action("run.pause"));
    QCOMPARE(bar->actions().value(at + 2), desk.action("run.continue"));
    const auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(desk.action("run.pause")));
    QCOMPARE(button->text(), QStringLiteral("Pause")); // which a screen reader says
}

void TstCommandPalette::plots_areExportedAndZoomedFromThePalette()
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
    dialog->hide();
    const QString file = desk.folder.filePath(QStringLiteral("plots.png"));
    Q_EMIT dialog->fileSelected(file);
    QTRY_COMPARE(desk.window->statusBar()->currentMessage(), QStringLiteral("Exported to ") + file);
    QVERIFY(QFileInfo::exists(file));
    desk.window->compareRuns({ run });
    QVERIFY(exported->isEnabled());
    desk.action("view.recipe")->trigger();
    QVERIFY(!exported->isEnabled());
}

void TstCommandPalette::plots_areShownAloneByF11()
{
    Desk desk;
    const QString run
        = writeRecordedRun(desk.runsRoot(), QStringLiteral("fp32"), QStringLiteral("digits_fp32"));
    desk.open();
    QAction* alone = desk.action("view.plotsAlone");
    QVERIFY(!alone->isEnabled());
    desk.window->selectRun(run);
    desk.action("view.monitor")->trigger();
    const auto numShown = [&desk] {
        const auto* bar = desk.window->findChild<QToolBar*>(QStringLiteral("mainToolBar"));
        qsizetype count = bar->isVisible() + desk.window->statusBar()->isVisible();
        for (const auto* dock : desk.window->findChildren<QDockWidget*>())
            count += dock->isHidden() ? 0 : 1;
        return count;
    };
    const qsizetype before = numShown();
    QVERIFY(before > 3);
    alone->trigger();
    QVERIFY(alone->isChecked());
    QCOMPARE(numShown(), qsizetype { 0 });
    QVERIFY(desk.lossPlot()->isVisible());
    alone->trigger();
    QVERIFY(!alone->isChecked());
    QCOMPARE(numShown(), before);
    alone->trigger();
    desk.window->keepForNextTime(); // a window that ends so comes back with its docks
    desk.reopen();
    QVERIFY(!desk.action("view.plotsAlone")->isChecked());
    QCOMPARE(numShown(), before);
}

void TstCommandPalette::shortcuts_areListedByMenu()
{
    Desk desk;
    desk.open();
    desk.action("help.shortcuts")->trigger();
    const auto* dialog = desk.window->findChild<QDialog*>(QStringLiteral("shortcutsDialog"));
    QVERIFY(dialog && dialog->isVisible());
    const auto* model = dialog->findChild<QTreeView*>(QStringLiteral("shortcuts"))->model();
    QStringList listed;
    for (int menu = 0; menu < model->rowCount(); ++menu) {
        const QModelIndex group = model->index(menu, 0);
        for (int row = 0; row < model->rowCount(group); ++row)
            listed << group.data().toString() + QStringLiteral(": ")
                    + model->index(row, 0, group).data().toString() + QStringLiteral(" = ")
                    + model->index(row, 1, group).data().toString();
    }
    QVERIFY(listed.contains(QStringLiteral("Run: Start Training = F5")));
    qsizetype withKeys = 0;
    for (const QAction* action : desk.window->actions().all())
        withKeys += action->shortcuts().isEmpty() ? 0 : 1;
    QCOMPARE(listed.size(), withKeys);
    QTest::keyClicks(dialog->findChild<QLineEdit*>(), QStringLiteral("start training"));
    QCOMPARE(model->rowCount(), 1);
}

void TstCommandPalette::help_opensThePagesOfDocs()
{
    Desk desk;
    desk.open();
    desk.action("help.docs")->trigger();
    const auto* dialog = desk.window->findChild<QDialog*>(QStringLiteral("helpDialog"));
    QVERIFY(dialog && dialog->isVisible());
    auto* pages = dialog->findChild<QListWidget*>();
    const auto* text = dialog->findChild<QTextBrowser*>(QStringLiteral("helpText"));
    QCOMPARE(pages->count(),
        static_cast<int>(QDir(QStringLiteral(EARWRIGHT_SOURCE_DIR "/docs"))
                             .entryList({ QStringLiteral("*.md") })
                             .size()));
    for (int row = 0; row < pages->count(); ++row) {
        pages->setCurrentRow(row);
        QVERIFY2(text->toPlainText().size() > 500, qPrintable(pages->item(row)->text()));
    }
}

void TstCommandPalette::helpLink_isFollowedInTheListAndBack()
{
    HelpDialog dialog;
    auto* text = dialog.findChild<QTextBrowser*>(QStringLiteral("helpText"));
    auto* back = dialog.findChild<QPushButton*>(QStringLiteral("helpBack"));
    auto* pages = dialog.findChild<QListWidget*>();
    const QString first = pages->currentItem()->text();
    const auto selected
        = [&] { return QFileInfo(pages->currentItem()->data(Qt::UserRole).toString()).fileName(); };
    QCOMPARE(selected(), QStringLiteral("window.md"));
    QVERIFY(!back->isEnabled());
    Q_EMIT text->anchorClicked(QUrl(QStringLiteral("own-data.md#anywhere")));
    QCOMPARE(selected(), QStringLiteral("own-data.md"));
    QCOMPARE(text->source().fragment(), QStringLiteral("anywhere"));
    Q_EMIT pages->itemClicked(pages->currentItem());
    QCOMPARE(text->source().fragment(), QString());
    QVERIFY(back->isEnabled());
    while (back->isEnabled())
        back->click();
    QCOMPARE(selected(), QStringLiteral("window.md"));
    QCOMPARE(pages->currentItem()->text(), first);
}

void TstCommandPalette::help_isOpenedOnce()
{
    Desk desk;
    desk.open();
    for (const char* name : { "help.docs", "help.docs", "help.shortcuts", "help.shortcuts" })
        desk.action(name)->trigger();
    for (const char* name : { "helpDialog", "shortcutsDialog" })
        QCOMPARE(desk.window->findChildren<QDialog*>(QLatin1String(name)).size(), 1);
}

EARWRIGHT_TEST(TstCommandPalette)
#include "tst_command_palette.moc"
