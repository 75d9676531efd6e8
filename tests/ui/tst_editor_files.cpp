#include "tests/registry.h"
#include "tests/ui/editor_desk.h"
#include "ui/editor/line_diff.h"
#include "ui/editor/new_recipe_dialog.h"
#include "ui/editor/problems_panel.h"
#include "ui/editor/recipe_template.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>

using namespace earwright;
using namespace earwright::ui;

/// Recipes over sessions and new ones; how two texts differ.
class TstEditorFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void unreadableFile_isNotCalledReady();
    void nextSession_bringsCaretAndScrollBack();
    void newRecipe_isWrittenFromATemplate();
    void newRecipe_isMadeOfAModelAndData();
    void newRecipe_neverOverwrites();
    void newRecipe_isFilledInByTheKeyboard();
    void newRecipe_staysInItsFolder();
    void templates_fillOnlyWhatIsAsked();
    void lineDiff_isShortest_data();
    void lineDiff_isShortest();
};

void TstEditorFiles::unreadableFile_isNotCalledReady()
{
    const EditorDesk desk;
    desk.window->openRecipe(desk.folder.filePath(QStringLiteral("gone.yaml")));
    QTRY_VERIFY(desk.bar()->text().contains(QStringLiteral("cannot read")));
    const auto* hint = desk.window->findChild<ProblemsPanel*>()->findChild<QLabel*>();
    QCOMPARE(hint->text(), QStringLiteral("Not checked yet."));
    desk.openRecipe(desk.path);
    QTRY_VERIFY(hint->text().startsWith(QStringLiteral("No problems")));
}

void TstEditorFiles::nextSession_bringsCaretAndScrollBack()
{
    EditorDesk desk;
    const QString other = desk.folder.filePath(QStringLiteral("other.yaml"));
    writeFile(other, "seed: 1\n");
    desk.putCaret(QStringLiteral("    channels: !ref <channels>"), 6);
    desk.editor()->setFirstVisibleLine(20);
    const recipe::Position caret = desk.editor()->caret();
    desk.openRecipe(other);
    QVERIFY(desk.window->close());
    desk.crash();
    desk.openWindow();
    QCOMPARE(desk.window->recipes()->paths(), QStringList({ desk.path, other }));
    QCOMPARE(desk.page()->path(), other);
    desk.window->openRecipe(desk.path);
    QTRY_COMPARE(desk.editor()->caret(), caret);
    QTRY_COMPARE(desk.editor()->firstVisibleLine(), 20);
}

void TstEditorFiles::newRecipe_isWrittenFromATemplate()
{
    const EditorDesk desk;
    desk.key(Qt::Key_N, Qt::ControlModifier);
    auto* dialog = desk.find<NewRecipeDialog>("newRecipeDialog");
    QVERIFY(dialog);
    auto* list = dialog->findChild<QListWidget*>(QStringLiteral("templateList"));
    list->setFocus();
    while (list->currentItem()->text() != QStringLiteral("fsdd/ctc_conv"))
        QTest::keyClick(list, Qt::Key_Down);
    const auto type = [&](const char* name, const QString& text) {
        auto* edit = dialog->findChild<QLineEdit*>(QLatin1String(name));
        QVERIFY2(edit, name);
        edit->selectAll();
        EditorDesk::typeInto(edit, text);
    };
    const QString data = desk.folder.filePath(QStringLiteral("我的 data"));
    type("setting.data_folder", data);
    type("recipeName", QStringLiteral("digits"));
    type("recipeFolder", desk.folder.path());
    QTest::keyClick(dialog->findChild<QLineEdit*>(QStringLiteral("recipeName")), Qt::Key_Return);
    const QString made = desk.folder.filePath(QStringLiteral("digits.yaml"));
    QTRY_COMPARE(desk.page()->path(), made);
    QString expected = QString::fromUtf8(
        bytesOf(QStringLiteral(EARWRIGHT_SOURCE_DIR "/configs/fsdd/ctc_conv.yaml")));
    expected.replace(
        QStringLiteral("data_folder: !PLACEHOLDER"), QStringLiteral("data_folder: ") + data);
    QTRY_COMPARE(desk.text(), expected);
}

/// What only such a recipe asks is not there for others.
void TstEditorFiles::newRecipe_isMadeOfAModelAndData()
{
    const EditorDesk desk;
    QDir(desk.folder.path()).mkpath(QStringLiteral("set"));
    for (const char* name : { "set/train.csv", "set/dev.csv" })
        writeFile(desk.folder.filePath(QLatin1String(name)),
            "ID,duration,wav,spk_id,wrd\na,1.0,$data_root/a.wav,s,bead\n");
    NewRecipeDialog dialog(desk.folder.path());
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    auto* list = dialog.findChild<QListWidget*>(QStringLiteral("templateList"));
    const auto* keeps = dialog.findChild<QCheckBox*>(QStringLiteral("keepVocabulary"));
    QVERIFY(!keeps->isVisible());
    list->setCurrentItem(
        list->findItems(QStringLiteral("pretrained/fine_tuned"), Qt::MatchExactly).value(0));
    QTRY_VERIFY(keeps->isVisible());
    const auto fill = [&](const char* name, const QString& text) {
        dialog.findChild<QLineEdit*>(QLatin1String(name))->setText(text);
    };
    fill("setting.model_folder", QStringLiteral(EARWRIGHT_CASES_DIR "/model/hub/ctc"));
    fill("setting.data", desk.folder.filePath(QStringLiteral("nowhere.csv")));
    auto* create = dialog.findChild<QPushButton*>(QStringLiteral("createRecipe"));
    create->click();
    const auto* message = dialog.findChild<QLabel*>(QStringLiteral("newRecipeMessage"));
    QTRY_VERIFY2(
        message->text().contains(QStringLiteral("nowhere.csv")), qPrintable(message->text()));
    fill("setting.data", desk.folder.filePath(QStringLiteral("set")));
    QSignalSpy created(&dialog, &NewRecipeDialog::created);
    create->click();
    QTRY_COMPARE(created.size(), 1);
    const QByteArray text = bytesOf(created.front().front().toString());
    QVERIFY2(text.contains("\ntask: ctc\n") && text.contains("/model/hub/ctc\n"), text.constData());
}

void TstEditorFiles::newRecipe_neverOverwrites()
{
    const EditorDesk desk;
    const QByteArray before = bytesOf(desk.path);
    NewRecipeDialog dialog(desk.folder.path());
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.findChild<QLineEdit*>(QStringLiteral("recipeName"))
        ->setText(QStringLiteral("ctc_prompts_en"));
    dialog.findChild<QPushButton*>(QStringLiteral("createRecipe"))->click();
    const auto* message = dialog.findChild<QLabel*>(QStringLiteral("newRecipeMessage"));
    QTRY_VERIFY2(
        message->text().contains(QStringLiteral("there already")), qPrintable(message->text()));
    QCOMPARE(bytesOf(desk.path), before);
}

void TstEditorFiles::newRecipe_isFilledInByTheKeyboard()
{
    const EditorDesk desk;
    NewRecipeDialog dialog(desk.folder.path());
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    dialog.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto* list = dialog.findChild<QListWidget*>(QStringLiteral("templateList"));
    for (const char* name : { "fsdd/ctc_conv", "dsp20/seaco_paraformer" }) // made anew with each
        list->setCurrentItem(list->findItems(QLatin1String(name), Qt::MatchExactly).value(0));
    const auto edit
        = [&](const char* name) { return dialog.findChild<QLineEdit*>(QLatin1String(name)); };
    QTRY_VERIFY(edit("setting.init_param")->isVisible());
    list->setFocus();
    QStringList walked;
    do {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        const QWidget* now = QApplication::focusWidget();
        walked << (now->objectName().isEmpty() ? now->accessibleName() : now->objectName());
    } while (!list->hasFocus() && walked.size() < 20);
    QCOMPARE(walked.mid(0, 8),
        QStringList({ QStringLiteral("setting.data_folder"), QStringLiteral("Choose a folder"),
            QStringLiteral("setting.init_param"), QStringLiteral("Choose a file or folder"),
            QStringLiteral("recipeName"), QStringLiteral("recipeFolder"),
            QStringLiteral("Choose a folder"), QStringLiteral("createRecipe") }));
    QTest::keyClick(&dialog, Qt::Key_I, Qt::AltModifier);
    QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("setting.init_param"));
    QTest::keyClick(&dialog, Qt::Key_D, Qt::AltModifier);
    QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("setting.data_folder"));
}

void TstEditorFiles::newRecipe_staysInItsFolder()
{
    const EditorDesk desk;
    NewRecipeDialog dialog(desk.folder.path());
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    auto* create = dialog.findChild<QPushButton*>(QStringLiteral("createRecipe"));
    QVERIFY(create->isEnabled());
    for (const char* name : { "../escaped", "/tmp/escaped", "sub/escaped" }) {
        dialog.findChild<QLineEdit*>(QStringLiteral("recipeName"))->setText(QLatin1String(name));
        QVERIFY2(!create->isEnabled(), name);
        const auto* message = dialog.findChild<QLabel*>(QStringLiteral("newRecipeMessage"));
        QVERIFY2(message->text().contains(QStringLiteral("no '/'")), qPrintable(message->text()));
    }
}

void TstEditorFiles::templates_fillOnlyWhatIsAsked()
{
    const RecipeTemplate read = readTemplate(QStringLiteral("x/y"),
        QStringLiteral(
            "# A title.\n# More that\n# goes on.\nseed: 1\ndata_folder: !PLACEHOLDER # here\n"
            "rirs: !PLACEHOLDER\nlist: !ref <data_folder>/x\n"));
    QCOMPARE(read.description, QStringLiteral("A title.\nMore that goes on."));
    QCOMPARE(read.settings, QStringList({ QStringLiteral("data_folder"), QStringLiteral("rirs") }));
    QCOMPARE(filledTemplate(read, { { QStringLiteral("data_folder"), QStringLiteral("/a: b") } }),
        QStringLiteral("# A title.\n# More that\n# goes on.\nseed: 1\ndata_folder: '/a: b' # here\n"
                       "rirs: !PLACEHOLDER\nlist: !ref <data_folder>/x\n"));
    QVERIFY(recipeTemplates().size() >= 3);
}

void TstEditorFiles::lineDiff_isShortest_data()
{
    QTest::addColumn<QString>("left");
    QTest::addColumn<QString>("right");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* left, const char* right, const char* diff) {
        QTest::newRow(name) << QString::fromLatin1(left).replace(u' ', u'\n')
                            << QString::fromLatin1(right).replace(u' ', u'\n')
                            << QString::fromLatin1(diff);
    };
    row("same", "a b c", "a b c", "a b c");
    row("added", "a c", "a b c", "a +b c");
    row("removed", "a b c", "a c", "a -b c");
    row("changed", "a b c", "a x c", "a -b +x c");
    row("moved", "a b c d", "c d a b", "-a -b c d +a +b");
    row("all", "a", "b", "-a +b");
    row("classic", "a b c a b b a", "c b a b a c", "-a -b c +b a b -b a +c");
}

void TstEditorFiles::lineDiff_isShortest()
{
    QFETCH(QString, left);
    QFETCH(QString, right);
    QFETCH(QString, expected);
    QStringList words;
    QStringList lefts;
    QStringList rights;
    for (const DiffLine& line : lineDiff(left, right)) {
        words << (line.left == 0 ? u"+"_qs : line.right == 0 ? u"-"_qs : QString()) + line.text;
        if (line.left > 0)
            lefts << line.text;
        if (line.right > 0)
            rights << line.text;
    }
    QCOMPARE(words.join(u' '), expected);
    QCOMPARE(lefts.join(u'\n'), left);
    QCOMPARE(rights.join(u'\n'), right);
}

EARWRIGHT_TEST(TstEditorFiles)
#include "tst_editor_files.moc"
