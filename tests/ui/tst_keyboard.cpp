#include "tests/registry.h"
#include "tests/ui/desk.h"
#include "tests/ui/run_folders.h"
#include "ui/editor/recipe_editor.h"
#include "ui/launch/launch_panel.h"
#include "ui/session/tab_order.h"

#include <algorithm>
#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>

using namespace earwright;
using namespace earwright::ui;

namespace {

/// "P: Ex&port…", … of what Alt and a letter reach in the window as it is now.
QStringList lettersOf(const MainWindow& window)
{
    QStringList texts;
    for (const QAction* menu : window.menuBar()->actions())
        texts << menu->text();
    for (const auto* button : window.findChildren<QAbstractButton*>())
        if (button->isVisible())
            texts << button->text();
    for (const auto* label : window.findChildren<QLabel*>())
        if (label->isVisible() && label->buddy())
            texts << label->text();
    for (const auto* bar : window.findChildren<QTabBar*>())
        for (int tab = 0; bar->isVisible() && tab < bar->count(); ++tab)
            texts << bar->tabText(tab);
    QStringList letters;
    for (const QString& text : texts)
        if (const QKeySequence keys = QKeySequence::mnemonic(text); !keys.isEmpty())
            letters << keys.toString().right(1) + QStringLiteral(": ") + text;
    letters.sort();
    return letters;
}

/// Those that two controls share.
QString sharedLetters(const MainWindow& window)
{
    const QStringList letters = lettersOf(window);
    QStringList shared;
    for (qsizetype i = 1; i < letters.size(); ++i)
        if (letters[i][0] == letters[i - 1][0])
            shared << letters[i - 1] << letters[i];
    return shared.join(QStringLiteral(", "));
}

/// A window with a recipe and a run.
struct KeyboardDesk : Desk {
    QString run
        = writeRecordedRun(runsRoot(), QStringLiteral("fp32"), QStringLiteral("digits_fp32"));

    KeyboardDesk()
    {
        writeManifests(folder.filePath(QStringLiteral("data")));
        open();
        openRecipe(writeDemoRecipe(folder.path(), folder.filePath(QStringLiteral("data"))));
        window->activateWindow();
        if (!QTest::qWaitForWindowActive(window.get()))
            qFatal("the window does not get the keyboard");
    }
};

} // namespace

class TstKeyboard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void letterOfAPage_isOneControls();
    void letterOfAMenu_isOneActions();
    void pageThatIsOpened_getsTheKeyboard();
    void emptyPage_givesTheKeyboardToItsButton();
    void listOfRuns_isReached();
    void tabStops_beginInThePageAndAreSeen();
    void screenReader_hearsTheLabelOfAChoice();
};

/// Else Alt+R would do nothing but choose between the menu and a control.
void TstKeyboard::letterOfAPage_isOneControls()
{
    KeyboardDesk desk;
    desk.window->selectRun(desk.run);
    QTRY_COMPARE(desk.numLossPoints(), size_t { 480 });
    QVERIFY(lettersOf(*desk.window).contains(QStringLiteral("R: &Run")));
    for (const char* shown : { "view.recipe", "edit.replace", "view.form", "view.monitor",
             "view.evaluations", "view.hotwords", "view.utterances", "view.runTable" }) {
        desk.action(shown)->trigger();
        QVERIFY2(sharedLetters(*desk.window).isEmpty(),
            qPrintable(
                QString::fromLatin1(shown) + QStringLiteral(": ") + sharedLetters(*desk.window)));
    }
    desk.window->compareRuns({ desk.run });
    QCOMPARE(sharedLetters(*desk.window), QString());
}

void TstKeyboard::letterOfAMenu_isOneActions()
{
    KeyboardDesk desk;
    for (const QAction* menu : desk.window->menuBar()->actions()) {
        QMap<QString, QString> actions;
        for (const QAction* action : menu->menu()->actions()) {
            const QString letter = QKeySequence::mnemonic(action->text()).toString();
            QVERIFY2(letter.isEmpty() || !actions.contains(letter),
                qPrintable(actions.value(letter) + QStringLiteral(", ") + action->text()));
            actions[letter] = action->text();
        }
    }
}

void TstKeyboard::pageThatIsOpened_getsTheKeyboard()
{
    KeyboardDesk desk;
    desk.window->selectRun(desk.run);
    desk.window->compareRuns({ desk.run });
    auto* ranks = desk.window->launchPanel()->findChild<QSpinBox*>(QStringLiteral("cpuRanks"));
    const auto* pages = desk.window->findChild<QStackedWidget*>(QStringLiteral("pages"));
    for (const Qt::Key key : { Qt::Key_1, Qt::Key_2, Qt::Key_3 }) {
        ranks->setFocus();
        QTest::keyClick(ranks, key, Qt::ControlModifier);
        QVERIFY(pages->currentWidget()->isAncestorOf(QApplication::focusWidget()));
        QVERIFY(!qobject_cast<QPushButton*>(QApplication::focusWidget())); // Stop is one
    }
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(QApplication::focusWidget(), desk.window->recipes()->current()->editor());
}

void TstKeyboard::emptyPage_givesTheKeyboardToItsButton()
{
    KeyboardDesk desk;
    desk.action("view.compare")->trigger();
    const auto* button = qobject_cast<QPushButton*>(QApplication::focusWidget());
    QVERIFY(button && button->isEnabled());
}

void TstKeyboard::listOfRuns_isReached()
{
    KeyboardDesk desk;
    desk.action("view.sidebar")->trigger(); // it was put away
    QTest::keyClick(desk.window->recipes()->current()->editor(), Qt::Key_R,
        Qt::ControlModifier | Qt::ShiftModifier);
    auto* runs = desk.window->findChild<QListView*>(QStringLiteral("runView"));
    QCOMPARE(QApplication::focusWidget(), runs);
    QTRY_COMPARE(desk.window->runs().rowCount(), 1);
    QTest::keyClick(runs, Qt::Key_Return);
    QCOMPARE(desk.window->selectedRun(), desk.run);
}

void TstKeyboard::tabStops_beginInThePageAndAreSeen()
{
    KeyboardDesk desk;
    desk.window->selectRun(desk.run);
    desk.action("view.monitor")->trigger();
    if (QWidget* held = QApplication::focusWidget())
        held->clearFocus();
    QTest::keyClick(desk.window.get(), Qt::Key_Tab);
    QList<QWidget*> stops;
    while (!stops.contains(QApplication::focusWidget())) {
        stops << QApplication::focusWidget();
        QVERIFY(moveFocus(*desk.window, true)); // tables keep Tab for their cells
    }
    QCOMPARE(QApplication::focusWidget(), stops.first());
    const auto isOfThePage
        = [&desk](const QWidget* stop) { return desk.window->centralWidget()->isAncestorOf(stop); };
    QVERIFY(isOfThePage(stops.first()));
    QVERIFY(std::is_partitioned(stops.begin(), stops.end(), isOfThePage));
    QVERIFY(stops.contains(desk.window->findChild<QListView*>(QStringLiteral("runView"))));
    // Its dock lies behind the log's tab.
    const auto* problems = desk.window->findChild<QDockWidget*>(QStringLiteral("problemsDock"));
    for (const QWidget* stop : stops)
        QVERIFY2(!problems->isAncestorOf(stop), stop->metaObject()->className());
    QVERIFY(moveFocus(*desk.window, false));
    QCOMPARE(QApplication::focusWidget(), stops.last());
}

void TstKeyboard::screenReader_hearsTheLabelOfAChoice()
{
    KeyboardDesk desk;
    for (const auto& [name, label] :
        { std::pair("precision", "Training"), { "evalPrecision", "Evaluation" } }) {
        auto* box = desk.window->launchPanel()->findChild<QComboBox*>(QLatin1String(name));
        const QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(box);
        QCOMPARE(heard->text(QAccessible::Name), QLatin1String(label));
        QCOMPARE(heard->text(QAccessible::Value), box->currentText());
    }
}

EARWRIGHT_TEST(TstKeyboard)
#include "tst_keyboard.moc"
