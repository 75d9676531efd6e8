#include "tests/registry.h"
#include "tests/ui/editor_desk.h"
#include "ui/session/settings_dialog.h"
#include "ui/widgets/info_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFontComboBox>
#include <QLineEdit>
#include <QSpinBox>

using namespace earwright;
using namespace earwright::ui;

namespace {

template <class Widget>
Widget* dialogPart(const SettingsDialog* dialog, const char* name)
{
    return dialog->findChild<Widget*>(QLatin1String(name));
}

SettingsDialog* openedSettings(const EditorDesk& desk)
{
    desk.action("file.settings")->trigger();
    return desk.window->findChild<SettingsDialog*>();
}

int fontPointsOf(const EditorDesk& desk)
{
    return desk.editor()->lexer()->font(0).pointSize();
}

} // namespace

/// What a user sets for the whole window.
class TstSettings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void chosen_areSetAndKept();
    void cancelled_changeNothing();
    void untouched_leaveTheSystemsFont();
    void runsFolder_isTakenAsAShellTakesIt_data();
    void runsFolder_isTakenAsAShellTakesIt();
    void runsFolderThatIsNotThere_isSaid();
};

void TstSettings::chosen_areSetAndKept()
{
    EditorDesk desk;
    const QString runs = desk.folder.filePath(QStringLiteral("other runs"));
    SettingsDialog* dialog = openedSettings(desk);
    QVERIFY(dialog && dialog->isVisible());
    dialogPart<QSpinBox>(dialog, "editorPoints")->setValue(19);
    dialogPart<QComboBox>(dialog, "themeChoice")->setCurrentIndex(2);
    dialogPart<QLineEdit>(dialog, "runsRoot")->setText(runs);
    dialogPart<QCheckBox>(dialog, "notifies")->setChecked(false);
    dialog->accept();
    QCOMPARE(fontPointsOf(desk), 19);
    QCOMPARE(desk.theme.mode(), ThemeMode::Dark);
    QVERIFY(desk.action("view.theme.dark")->isChecked());
    QCOMPARE(desk.window->state().runsRoot, runs);
    desk.window->keepForNextTime();
    const SessionState kept = loadSessionState();
    QCOMPARE(kept.theme, static_cast<int>(ThemeMode::Dark));
    QVERIFY(!kept.isNotifying);
    desk.window.reset();
    desk.openWindow();
    desk.openRecipe(desk.path);
    QCOMPARE(fontPointsOf(desk), 19); // also of a recipe that is opened later
    QVERIFY(!dialogPart<QCheckBox>(openedSettings(desk), "notifies")->isChecked());
}

void TstSettings::cancelled_changeNothing()
{
    const EditorDesk desk;
    const SessionState before = desk.window->state();
    SettingsDialog* dialog = openedSettings(desk);
    dialogPart<QSpinBox>(dialog, "editorPoints")->setValue(30);
    dialogPart<QComboBox>(dialog, "themeChoice")->setCurrentIndex(2);
    dialog->reject();
    QVERIFY(desk.window->state() == before);
}

/// Another one may be set there later.
void TstSettings::untouched_leaveTheSystemsFont()
{
    const EditorDesk desk;
    SettingsDialog* dialog = openedSettings(desk);
    dialog->accept();
    QCOMPARE(desk.window->state().editorFont, QString());
}

void TstSettings::runsFolder_isTakenAsAShellTakesIt_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("root");
    const QString home = QDir::homePath();
    QTest::newRow("home") << QStringLiteral("~") << home;
    QTest::newRow("in home") << QStringLiteral("~/runs/") << home + QStringLiteral("/runs");
    QTest::newRow("relative") << QStringLiteral("../~runs//new/.")
                              << QDir::cleanPath(
                                     QDir::currentPath() + QStringLiteral("/../~runs/new"));
}

void TstSettings::runsFolder_isTakenAsAShellTakesIt()
{
    QFETCH(QString, typed);
    QFETCH(QString, root);
    const EditorDesk desk;
    SettingsDialog* dialog = openedSettings(desk);
    dialogPart<QLineEdit>(dialog, "runsRoot")->setText(typed);
    dialog->accept();
    QCOMPARE(desk.window->state().runsRoot, root);
}

void TstSettings::runsFolderThatIsNotThere_isSaid()
{
    const EditorDesk desk;
    const auto* bar
        = desk.window->centralWidget()->findChild<InfoBar*>(QString(), Qt::FindDirectChildrenOnly);
    const QString folder = desk.folder.filePath(QStringLiteral("no runs"));
    SettingsDialog* dialog = openedSettings(desk);
    dialogPart<QLineEdit>(dialog, "runsRoot")->setText(folder);
    dialog->accept();
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->text().startsWith(QStringLiteral("There is no folder '%1'").arg(folder)),
        qPrintable(bar->text()));
}

EARWRIGHT_TEST(TstSettings)
#include "tst_settings.moc"
