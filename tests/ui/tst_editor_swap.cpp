#include "core/run/run_folder.h"
#include "tests/registry.h"
#include "tests/ui/editor_desk.h"
#include "ui/editor/text_diff_dialog.h"

#include <QAbstractItemModelTester>
#include <QCryptographicHash>
#include <QSignalSpy>

#include <atomic>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

using namespace earwright;
using namespace earwright::ui;

namespace {

std::atomic<bool> removesNothing = false;

/// Types a line and waits until the swap file holds it.
void typeUnsaved(const EditorDesk& desk, const QString& line)
{
    QSignalSpy written(desk.page()->swapFile(), &SwapFile::written);
    desk.page()->swapFile()->setDelayMs(0);
    desk.editor()->setFocus();
    desk.key(Qt::Key_End, Qt::ControlModifier);
    desk.type(line);
    QTRY_VERIFY(!written.isEmpty());
    QTRY_VERIFY(bytesOf(desk.page()->swapFile()->path()).endsWith(line.toUtf8()));
}

/// Unsaved text that a process left behind, in a file such as earlier versions wrote.
QString leaveText(const QString& recipe, const QByteArray& process, const QByteArray& text)
{
    const QByteArray name
        = QCryptographicHash::hash(recipe.toUtf8(), QCryptographicHash::Sha1).toHex();
    const QString path = SwapFile::folder() + QLatin1Char('/') + QString::fromLatin1(name);
    QDir().mkpath(SwapFile::folder());
    writeFile(path, "earwright swap file 1\n" + process + '\n' + recipe.toUtf8() + '\n' + text);
    return path;
}

QStringList textsLeft()
{
    QStringList all;
    for (const LeftText& left : leftTexts())
        all << left.text;
    return all;
}

} // namespace

/// A symbol of the program comes before libc's: the disk may refuse to remove a file.
extern "C" int unlink(const char* path) noexcept // NOLINT: libc's signature
{
    using Unlink = int(const char*);
    static auto* const real = reinterpret_cast<Unlink*>(::dlsym(RTLD_NEXT, "unlink"));
    if (!removesNothing)
        return real(path);
    errno = EACCES;
    return -1;
}

/// What a crash leaves of unsaved text, and what becomes of it.
class TstEditorSwap : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void crash_offersTheUnsavedTextAndRecoversIt();
    void crash_offersTheUnsavedTextAndDiscardsIt();
    void recovery_showsTheDifference();
    void recovery_staysOfferedUntilItIsAnswered();
    void recovered_isKeptUntilSaved();
    void recovery_isOfferedWhereTheRecipeIsGone();
    void recovery_offersOneTextAfterTheOther();
    void openedAndClosed_leavesNothing();
    void save_removesTheSwapFile();
    void undoBackToSaved_removesTheSwapFile();
    void swapFileOfALivingProcess_isLeftAlone();
    void processThatIsGone_isTold_data();
    void processThatIsGone_isTold();
    void swapFileOfAnotherMachine_isLeftWhenUntouchedForADay();
    void leftFileThatCannotBeRemoved_isOfferedOnce_data();
    void leftFileThatCannotBeRemoved_isOfferedOnce();
    void halfWrittenFile_goesWithItsWriter();
    void endUnasked_keepsWhatIsNotSaved();
    void typingThatGoesOn_isKeptMeanwhile();
};

void TstEditorSwap::crash_offersTheUnsavedTextAndRecoversIt()
{
    EditorDesk desk;
    const QString before = desk.text();
    typeUnsaved(desk, QStringLiteral("mine: 语音"));
    const QString unsaved = desk.text();
    desk.crash();
    desk.openWindow();
    desk.openRecipe(desk.path);
    QTRY_VERIFY(desk.page()->recoveryBar()->isVisible());
    QCOMPARE(desk.text(), before);
    desk.press(desk.page()->recoveryBar(), QStringLiteral("Recover"));
    QCOMPARE(desk.text(), unsaved);
    QVERIFY(desk.page()->isModified());
    desk.editor()->setFocus();
    desk.key(Qt::Key_Z, Qt::ControlModifier); // to recover is an edit like others
    QCOMPARE(desk.text(), before);
    desk.page()->discardChanges();
}

void TstEditorSwap::crash_offersTheUnsavedTextAndDiscardsIt()
{
    EditorDesk desk;
    const QString before = desk.text();
    typeUnsaved(desk, QStringLiteral("mine: 1"));
    desk.crash();
    desk.openWindow();
    desk.openRecipe(desk.path);
    QTRY_VERIFY(desk.page()->recoveryBar()->isVisible());
    desk.press(desk.page()->recoveryBar(), QStringLiteral("Discard"));
    QCOMPARE(desk.text(), before);
    QTRY_COMPARE(EditorDesk::swapFiles(), QStringList());
}

void TstEditorSwap::recovery_showsTheDifference()
{
    EditorDesk desk;
    typeUnsaved(desk, QStringLiteral("mine: 1"));
    desk.crash();
    desk.openWindow();
    desk.openRecipe(desk.path);
    InfoBar* bar = desk.page()->recoveryBar();
    QTRY_VERIFY(bar->isVisible());
    desk.press(bar, QStringLiteral("Show the difference"));
    auto* dialog = desk.page()->findChild<TextDiffDialog*>();
    QVERIFY(dialog);
    auto* model = dialog->findChild<TextDiffModel*>();
    QAbstractItemModelTester tester(model);
    QStringList changed;
    for (int row = 0; row < model->rowCount(); ++row)
        if (model->index(row, TextDiffModel::Left).data().toString().isEmpty())
            changed << model->index(row, TextDiffModel::Line).data().toString();
    QVERIFY2(changed.contains(QStringLiteral("+ mine: 1")), qPrintable(changed.join(u'|')));
    QVERIFY(bar->isVisible()); // still to be chosen
    dialog->close();
    desk.press(bar, QStringLiteral("Discard"));
}

/// Neither reading the recipe nor typing, saving and closing touches what a crash left.
void TstEditorSwap::recovery_staysOfferedUntilItIsAnswered()
{
    EditorDesk desk;
    const QString path = desk.folder.filePath(QStringLiteral("other.yaml"));
    writeFile(path, "seed: 1\n");
    const QString left = leaveText(path, "999999", "seed: 7777\n");
    const QByteArray before = bytesOf(left);
    desk.window->openRecipe(path);
    desk.page()->swapFile()->setDelayMs(0); // before the file is read
    QTRY_VERIFY(desk.page()->recoveryBar()->isVisible());
    EditorDesk::waitForSwapFiles();
    QCOMPARE(bytesOf(left), before);
    typeUnsaved(desk, QStringLiteral("mine: 1"));
    QCOMPARE(bytesOf(left), before);
    desk.key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!desk.page()->isModified());
    QVERIFY(desk.page()->recoveryBar()->isVisible());
    QVERIFY(desk.window->close());
    desk.crash();
    QCOMPARE(bytesOf(left), before);

    desk.openWindow();
    desk.openRecipe(path);
    QTRY_VERIFY(desk.page()->recoveryBar()->isVisible());
    desk.press(desk.page()->recoveryBar(), QStringLiteral("Recover"));
    QCOMPARE(desk.text(), QStringLiteral("seed: 7777\n"));
    desk.page()->discardChanges();
}

void TstEditorSwap::recovered_isKeptUntilSaved()
{
    EditorDesk desk;
    const QString left = leaveText(desk.path, "999999", "seed: 7777\n");
    desk.page()->swapFile()->setDelayMs(1 << 30); // what is kept is not kept by its timer
    desk.page()->swapFile()->lookUp();
    QTRY_VERIFY(desk.page()->recoveryBar()->isVisible());
    desk.press(desk.page()->recoveryBar(), QStringLiteral("Recover"));
    QTRY_VERIFY(!QFile::exists(left));
    desk.crash();
    QCOMPARE(textsLeft(), QStringList { QStringLiteral("seed: 7777\n") });
}

void TstEditorSwap::recovery_isOfferedWhereTheRecipeIsGone()
{
    EditorDesk desk;
    const QString gone = desk.folder.filePath(QStringLiteral("gone.yaml"));
    leaveText(gone, "999999", "seed: 7777\n");
    desk.window->openRecipe(gone);
    QTRY_VERIFY(desk.page()->recoveryBar()->isVisible());
    QVERIFY(desk.bar()->text().contains(QStringLiteral("cannot read")));
    desk.press(desk.page()->recoveryBar(), QStringLiteral("Recover"));
    QCOMPARE(desk.text(), QStringLiteral("seed: 7777\n"));
    QVERIFY(desk.page()->isModified());
    QVERIFY(!desk.bar()->isVisible());
    desk.page()->save();
    QTRY_VERIFY(!desk.page()->isModified());
    QCOMPARE(bytesOf(gone), QByteArray("seed: 7777\n"));
    QTRY_COMPARE(EditorDesk::swapFiles(), QStringList());
}

void TstEditorSwap::recovery_offersOneTextAfterTheOther()
{
    EditorDesk desk;
    typeUnsaved(desk, QStringLiteral("mine: 1"));
    desk.crash();
    leaveText(desk.path, "999999", "seed: 7777\n");
    QCOMPARE(leftTexts(desk.path).size(), size_t { 2 });
    desk.openWindow();
    desk.openRecipe(desk.path);
    for (const size_t more : { size_t { 1 }, size_t { 0 } }) {
        QTRY_VERIFY(desk.page()->recoveryBar()->isVisible());
        desk.press(desk.page()->recoveryBar(), QStringLiteral("Discard"));
        QTRY_COMPARE(leftTexts(desk.path).size(), more);
    }
    EditorDesk::waitForSwapFiles();
    QVERIFY(!desk.page()->recoveryBar()->isVisible());
}

void TstEditorSwap::openedAndClosed_leavesNothing()
{
    EditorDesk desk;
    const QString other = desk.folder.filePath(QStringLiteral("other.yaml"));
    writeFile(other, "seed: 1\n");
    desk.window->openRecipe(other);
    desk.page()->swapFile()->setDelayMs(0); // before the file is read
    QTRY_VERIFY(desk.page()->latestCheck());
    EditorDesk::waitForSwapFiles();
    QCOMPARE(EditorDesk::swapFiles(), QStringList());
    QVERIFY(desk.window->recipes()->close(desk.page()));
    QVERIFY(desk.window->close());
    desk.crash();
    EditorDesk::waitForSwapFiles();
    QCOMPARE(EditorDesk::swapFiles(), QStringList());
}

void TstEditorSwap::save_removesTheSwapFile()
{
    const EditorDesk desk;
    typeUnsaved(desk, QStringLiteral("mine: 1"));
    desk.key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!desk.page()->isModified());
    QTRY_COMPARE(EditorDesk::swapFiles(), QStringList());
    QVERIFY(bytesOf(desk.path).endsWith("mine: 1"));
}

void TstEditorSwap::undoBackToSaved_removesTheSwapFile()
{
    const EditorDesk desk;
    typeUnsaved(desk, QStringLiteral("x"));
    while (desk.page()->isModified())
        desk.key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(EditorDesk::swapFiles(), QStringList());
}

/// Another window has the same recipe open.
void TstEditorSwap::swapFileOfALivingProcess_isLeftAlone()
{
    EditorDesk desk;
    const QString theirs = leaveText(desk.path,
        QByteArray::number(::getpid()) + ' '
            + QByteArray::number(qint64 { run::processStartTicks(::getpid()) }) + ' '
            + QByteArray::fromStdString(run::bootId()),
        "seed: 7777\n");
    const QByteArray before = bytesOf(theirs);
    QCOMPARE(textsLeft(), QStringList());
    typeUnsaved(desk, QStringLiteral("mine: 1"));
    desk.key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!desk.page()->isModified());
    EditorDesk::waitForSwapFiles();
    QCOMPARE(bytesOf(theirs), before);
}

void TstEditorSwap::processThatIsGone_isTold_data()
{
    const QByteArray boot = ' ' + QByteArray::fromStdString(run::bootId());
    const QByteArray ticks
        = ' ' + QByteArray::number(qint64 { run::processStartTicks(::getpid()) });
    QTest::addColumn<QByteArray>("process");
    QTest::newRow("of an earlier version, its id in use") << QByteArray("1");
    QTest::newRow("its id in use") << QByteArray("1 999999999999") + boot;
    QTest::newRow("its id in use, since the machine started anew")
        << QByteArray::number(::getpid()) + ticks + " another-boot";
}

void TstEditorSwap::processThatIsGone_isTold()
{
    QFETCH(QByteArray, process);
    const QTemporaryDir folder;
    useOwnSettings(folder.path());
    const QString recipe = folder.filePath(QStringLiteral("a.yaml"));
    const QString file = leaveText(recipe, process, "seed: 1\n");
    const std::vector<LeftText> left = leftTexts();
    QCOMPARE(left.size(), size_t { 1 });
    QCOMPARE(left.front().file, file);
    QCOMPARE(left.front().recipePath, recipe);
    QCOMPARE(left.front().text, QStringLiteral("seed: 1\n"));
    QVERIFY(leftTexts(folder.filePath(QStringLiteral("b.yaml"))).empty());
}

/// Which shares the home: its processes cannot be seen from here.
void TstEditorSwap::swapFileOfAnotherMachine_isLeftWhenUntouchedForADay()
{
    using namespace std::chrono_literals;
    const QTemporaryDir folder;
    useOwnSettings(folder.path());
    const std::string file = leaveText(
        folder.filePath(QStringLiteral("a.yaml")), "1 1 another-boot another-machine", "seed: 1\n")
                                 .toStdString();
    QCOMPARE(textsLeft(), QStringList());
    const auto now = std::filesystem::file_time_type::clock::now();
    std::filesystem::last_write_time(file, now - 23h);
    QCOMPARE(textsLeft(), QStringList());
    std::filesystem::last_write_time(file, now - 25h);
    QCOMPARE(textsLeft(), QStringList { QStringLiteral("seed: 1\n") });
}

void TstEditorSwap::leftFileThatCannotBeRemoved_isOfferedOnce_data()
{
    QTest::addColumn<bool>("isAsSaved");
    QTest::newRow("its text is the recipe's") << true;
    QTest::newRow("discarded") << false;
}

void TstEditorSwap::leftFileThatCannotBeRemoved_isOfferedOnce()
{
    QFETCH(bool, isAsSaved);
    EditorDesk desk;
    leaveText(desk.path, "999999", isAsSaved ? desk.text().toUtf8() : "seed: 7777\n");
    QSignalSpy found(desk.page()->swapFile(), &SwapFile::found);
    removesNothing = true;
    desk.page()->swapFile()->lookUp();
    QTRY_COMPARE(found.count(), 1);
    if (!isAsSaved)
        desk.press(desk.page()->recoveryBar(), QStringLiteral("Discard"));
    for (int more = 0; more < 3; ++more)
        EditorDesk::waitForSwapFiles();
    QCOMPARE(found.count(), 1);
    QVERIFY(!desk.page()->recoveryBar()->isVisible());
    removesNothing = false;
}

void TstEditorSwap::halfWrittenFile_goesWithItsWriter()
{
    const QTemporaryDir folder;
    useOwnSettings(folder.path());
    const QString recipe = folder.filePath(QStringLiteral("a.yaml"));
    const QString whole = leaveText(recipe, "999999", "seed: 1\n");
    const QFileInfo name(whole);
    const QString half
        = name.path() + QStringLiteral("/.%1-1234.earwright.tmp").arg(name.fileName());
    writeFile(half, "earwright swap");
    const int writer = ::open(half.toStdString().c_str(), O_WRONLY | O_CLOEXEC);
    QCOMPARE(::flock(writer, LOCK_EX | LOCK_NB), 0);
    QCOMPARE(leftTexts().size(), size_t { 1 });
    QVERIFY(QFile::exists(half));
    ::close(writer);
    QVERIFY(leftTexts(folder.filePath(QStringLiteral("b.yaml"))).empty());
    QVERIFY(QFile::exists(half)); // of another recipe
    QCOMPARE(leftTexts(recipe).size(), size_t { 1 });
    QVERIFY(!QFile::exists(half));
    QVERIFY(QFile::exists(whole));
}

void TstEditorSwap::endUnasked_keepsWhatIsNotSaved()
{
    EditorDesk desk;
    const QString saved = desk.folder.filePath(QStringLiteral("saved.yaml"));
    writeFile(saved, "seed: 1\n");
    desk.editor()->setFocus();
    desk.key(Qt::Key_End, Qt::ControlModifier);
    desk.type(QStringLiteral("mine: 1"));
    const QString unsaved = desk.text();
    desk.openRecipe(saved);
    desk.window->recipes()->keepUnsaved(); // long before the timer would
    QCOMPARE(EditorDesk::swapFiles().size(), 1);
    desk.crash();
    QCOMPARE(textsLeft(), QStringList { unsaved });
}

/// At most a second behind: no key puts the writing off.
void TstEditorSwap::typingThatGoesOn_isKeptMeanwhile()
{
    static_assert(SwapFile::kDelayMs < 1000);
    EditorDesk desk;
    desk.editor()->setFocus();
    desk.key(Qt::Key_End, Qt::ControlModifier);
    QSignalSpy written(desk.page()->swapFile(), &SwapFile::written);
    QTimer typing;
    connect(&typing, &QTimer::timeout, this, [&desk] { desk.type(QStringLiteral("x")); });
    typing.start(SwapFile::kDelayMs / 10);
    for (qsizetype i = 1; i <= 3; ++i) {
        QTRY_VERIFY_WITH_TIMEOUT(written.size() >= i, 30000);
        QVERIFY(bytesOf(desk.page()->swapFile()->path()).endsWith('x'));
    }
    typing.stop();
    QTRY_VERIFY(bytesOf(desk.page()->swapFile()->path()).endsWith(desk.text().toUtf8()));
    desk.page()->discardChanges();
}

EARWRIGHT_TEST(TstEditorSwap)
#include "tst_editor_swap.moc"
