#include "tests/ui/editor_desk.h"
#include "ui/editor/file_watch.h"
#include "ui/editor/line_diff.h"
#include "ui/editor/new_recipe_dialog.h"
#include "ui/editor/problems_panel.h"
#include "ui/editor/recipe_template.h"
#include "ui/editor/swap_file.h"
#include "ui/editor/text_diff_dialog.h"
#include "ui/widgets/info_bar.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>

using namespace kymo;
using namespace kymo::ui;

namespace {

InfoBar* barOf(const EditorDesk& desk)
{
    return desk.page()->findChild<InfoBar*>();
}

void press(QWidget* within, const QString& text)
{
    for (QPushButton* button : within->findChildren<QPushButton*>())
        if (button->isVisible() && button->text().remove(QLatin1Char('&')) == text)
            return QTest::keyClick(button, Qt::Key_Space);
    qFatal("there is no button '%s'", qPrintable(text));
}

/// Types a line and waits until the swap file holds it.
void typeUnsaved(const EditorDesk& desk, const QString& line)
{
    QSignalSpy written(desk.page()->swapFile(), &SwapFile::written);
    desk.page()->swapFile()->setDelayMs(0);
    desk.editor()->setFocus();
    desk.key(Qt::Key_End, Qt::ControlModifier);
    desk.type(line);
    QTRY_VERIFY(!written.isEmpty());
    QTRY_VERIFY(bytesOf(SwapFile::pathFor(desk.path)).endsWith(line.toUtf8()));
}

} // namespace

/// What happens to a recipe's file: swap file, changes from outside, the next session, new recipes.
class TstEditorFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void crash_offersTheUnsavedTextAndRecoversIt();
    void crash_offersTheUnsavedTextAndDiscardsIt();
    void recovery_showsTheDifference();
    void save_removesTheSwapFile();
    void undoBackToSaved_removesTheSwapFile();
    void swapFileOfALivingProcess_isNotOffered();
    void changedOnDisk_asksAndLoadsTheirs();
    void changedOnDisk_asksAndOverwrites();
    void removedFile_countsAsUnsavedUntilSaved();
    void fileRemovedBeforeItsWatch_isToldOnce();
    void unreadableFile_isNotCalledReady();
    void nextSession_bringsCaretAndScrollBack();
    void newRecipe_isWrittenFromATemplate();
    void newRecipe_neverOverwrites();
    void newRecipe_isFilledInByTheKeyboard();
    void newRecipe_staysInItsFolder();
    void templates_fillOnlyWhatIsAsked();
    void lineDiff_isShortest_data();
    void lineDiff_isShortest();
};

void TstEditorFiles::crash_offersTheUnsavedTextAndRecoversIt()
{
    EditorDesk desk;
    const QString before = desk.text();
    typeUnsaved(desk, QStringLiteral("mine: 语音"));
    const QString unsaved = desk.text();
    desk.crash();
    desk.openWindow();
    desk.openRecipe(desk.path);
    QTRY_VERIFY(barOf(desk)->isVisible());
    QCOMPARE(desk.text(), before);
    press(barOf(desk), QStringLiteral("Recover"));
    QCOMPARE(desk.text(), unsaved);
    QVERIFY(desk.page()->isModified());
    desk.editor()->setFocus();
    desk.key(Qt::Key_Z, Qt::ControlModifier); // to recover is an edit like others
    QCOMPARE(desk.text(), before);
    desk.page()->discardChanges();
}

void TstEditorFiles::crash_offersTheUnsavedTextAndDiscardsIt()
{
    EditorDesk desk;
    const QString before = desk.text();
    typeUnsaved(desk, QStringLiteral("mine: 1"));
    desk.crash();
    desk.openWindow();
    desk.openRecipe(desk.path);
    QTRY_VERIFY(barOf(desk)->isVisible());
    press(barOf(desk), QStringLiteral("Discard"));
    QCOMPARE(desk.text(), before);
    QTRY_VERIFY(!QFile::exists(SwapFile::pathFor(desk.path)));
}

void TstEditorFiles::recovery_showsTheDifference()
{
    EditorDesk desk;
    typeUnsaved(desk, QStringLiteral("mine: 1"));
    desk.crash();
    desk.openWindow();
    desk.openRecipe(desk.path);
    QTRY_VERIFY(barOf(desk)->isVisible());
    press(barOf(desk), QStringLiteral("Show the difference"));
    auto* dialog = desk.page()->findChild<TextDiffDialog*>();
    QVERIFY(dialog);
    auto* model = dialog->findChild<TextDiffModel*>();
    QAbstractItemModelTester tester(model);
    QStringList changed;
    for (int row = 0; row < model->rowCount(); ++row)
        if (model->index(row, TextDiffModel::Left).data().toString().isEmpty())
            changed << model->index(row, TextDiffModel::Line).data().toString();
    QVERIFY2(changed.contains(QStringLiteral("+ mine: 1")), qPrintable(changed.join(u'|')));
    QVERIFY(barOf(desk)->isVisible()); // still to be chosen
    dialog->close();
    press(barOf(desk), QStringLiteral("Discard"));
}

void TstEditorFiles::save_removesTheSwapFile()
{
    const EditorDesk desk;
    typeUnsaved(desk, QStringLiteral("mine: 1"));
    desk.key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!desk.page()->isModified());
    QTRY_VERIFY(!QFile::exists(SwapFile::pathFor(desk.path)));
    QVERIFY(bytesOf(desk.path).endsWith("mine: 1"));
}

void TstEditorFiles::undoBackToSaved_removesTheSwapFile()
{
    const EditorDesk desk;
    typeUnsaved(desk, QStringLiteral("x"));
    while (desk.page()->isModified())
        desk.key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(!QFile::exists(SwapFile::pathFor(desk.path)));
}

void TstEditorFiles::swapFileOfALivingProcess_isNotOffered()
{
    EditorDesk desk;
    typeUnsaved(desk, QStringLiteral("mine: 1"));
    desk.crash();
    QByteArray swap = bytesOf(SwapFile::pathFor(desk.path));
    swap.replace(QByteArray::number(QCoreApplication::applicationPid()), "1");
    writeFile(SwapFile::pathFor(desk.path), swap);
    SwapFile file(
        desk.path, [] { return QString(); }, this);
    QSignalSpy found(&file, &SwapFile::found);
    QSignalSpy written(&file, &SwapFile::written);
    file.lookUp();
    file.setDelayMs(0);
    file.schedule(); // what is written after it was looked for: the look is over
    QTRY_COMPARE(written.count(), 1);
    QCOMPARE(found.count(), 0);
}

void TstEditorFiles::changedOnDisk_asksAndLoadsTheirs()
{
    const EditorDesk desk;
    desk.editor()->append(QStringLiteral("mine: 1\n"));
    writeFile(desk.path, "seed: 8\n");
    QTRY_VERIFY(barOf(desk)->isVisible());
    press(barOf(desk), QStringLiteral("Load theirs"));
    QCOMPARE(desk.text(), QStringLiteral("seed: 8\n"));
    QVERIFY(!desk.page()->isModified());
}

void TstEditorFiles::changedOnDisk_asksAndOverwrites()
{
    const EditorDesk desk;
    desk.editor()->setText(QStringLiteral("mine: 1\n"));
    writeFile(desk.path, "seed: 8\n");
    QTRY_VERIFY(barOf(desk)->isVisible());
    press(barOf(desk), QStringLiteral("Overwrite with mine"));
    QTRY_COMPARE(bytesOf(desk.path), QByteArray("mine: 1\n"));
    QTRY_VERIFY(!desk.page()->isModified());
}

void TstEditorFiles::removedFile_countsAsUnsavedUntilSaved()
{
    const EditorDesk desk;
    QVERIFY(QFile::remove(desk.path));
    QTRY_VERIFY(desk.page()->isModified());
    QVERIFY(desk.page()->title().endsWith(QLatin1Char('*')));
    press(barOf(desk), QStringLiteral("Save it again"));
    QTRY_VERIFY(!desk.page()->isModified());
    QCOMPARE(bytesOf(desk.path), desk.text().toUtf8());
}

/// Its page had been read, so nothing else would tell.
void TstEditorFiles::fileRemovedBeforeItsWatch_isToldOnce()
{
    const QTemporaryDir folder;
    const QString gone = folder.filePath(QStringLiteral("gone.yaml"));
    const QString there = folder.filePath(QStringLiteral("there.yaml"));
    writeFile(there, "seed: 1\n");
    auto* watch = new FileWatch;
    int told = 0;
    QObject listener;
    connect(watch, &FileWatch::changed, &listener, [&] { ++told; });
    const auto toldOf = [&](const QString& path) {
        told = 0;
        watch->watch(path);
        QMetaObject::invokeMethod(
            watch, [] {}, Qt::BlockingQueuedConnection); // it has begun
        QCoreApplication::sendPostedEvents(&listener);
        return told;
    };
    QCOMPARE(toldOf(gone), 1);
    QCOMPARE(toldOf(gone), 0);
    QCOMPARE(toldOf(there), 1);
    watch->deleteLater();
}

void TstEditorFiles::unreadableFile_isNotCalledReady()
{
    const EditorDesk desk;
    desk.window->openRecipe(desk.folder.filePath(QStringLiteral("gone.yaml")));
    QTRY_VERIFY(barOf(desk)->text().contains(QStringLiteral("cannot read")));
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
    QString expected
        = QString::fromUtf8(bytesOf(QStringLiteral(KYMO_SOURCE_DIR "/configs/fsdd/ctc_conv.yaml")));
    expected.replace(
        QStringLiteral("data_folder: !PLACEHOLDER"), QStringLiteral("data_folder: ") + data);
    QTRY_COMPARE(desk.text(), expected);
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

QTEST_MAIN(TstEditorFiles)
#include "tst_editor_files.moc"
