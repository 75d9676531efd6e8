#include "tests/registry.h"
#include "tests/ui/editor_desk.h"
#include "ui/editor/file_watch.h"
#include "ui/editor/problems_panel.h"
#include "ui/editor/recipe_file.h"
#include "ui/widgets/when_done.h"

#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTabBar>
#include <QtConcurrentRun>
#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <dlfcn.h>
#include <filesystem>

using namespace earwright;
using namespace earwright::ui;

namespace {

std::atomic<bool> holdsNextRename = false;
QSemaphore renamed;
QSemaphore mayReturn;

/// As other programs do: nobody sees a part of it.
void replaceFile(const QString& path, const QByteArray& bytes)
{
    writeFile(path + QStringLiteral("~"), bytes);
    std::filesystem::rename((path + QStringLiteral("~")).toStdString(), path.toStdString());
}

} // namespace

/// A symbol of the program comes before libc's: a file may be held just after it was replaced.
extern "C" int rename(const char* from, const char* to) noexcept // NOLINT: libc's signature
{
    using Rename = int(const char*, const char*);
    static auto* const real = reinterpret_cast<Rename*>(::dlsym(RTLD_NEXT, "rename"));
    const int result = real(from, to);
    if (holdsNextRename.exchange(false)) {
        renamed.release();
        mayReturn.acquire();
    }
    return result;
}

/// A recipe's file under the hands of this window and of other programs.
class TstEditorDisk : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void changedOnDisk_asksAndLoadsTheirs();
    void changedOnDisk_asksAndOverwrites();
    void changedOnDisk_isNotSavedOverUnasked();
    void changedOnDisk_keepsTheTabThatWouldClose();
    void changedOnDiskToTheTextHere_isSaved();
    void changedOnDiskAndBack_asksNothing();
    void changedUnseen_isNotWrittenOver();
    void ownSave_isNotTakenForAnothers();
    void savesInARow_leaveTheLast();
    void typedWhileItSaves_isAskedForBeforeTheTabCloses();
    void closedAgainWhileItSaves_closes_data();
    void closedAgainWhileItSaves_closes();
    void undonePastWhatIsSaved_countsAsUnsaved();
    void windowThatStays_discardsNothing();
    void removedFile_countsAsUnsavedUntilSaved();
    void removedFile_thatComesBackLaterIsNoticed();
    void fileRemovedBeforeItsWatch_isToldOnce();
    void otherThanUtf8_isRefusedUntilItIsMended();
    void otherThanUtf8WhileOpen_leavesTheTextHere();
    void saveAs_takesTheNewPath();
    void saveAs_thatFailsChangesNothing();
};

void TstEditorDisk::changedOnDisk_asksAndLoadsTheirs()
{
    const EditorDesk desk;
    desk.editor()->append(QStringLiteral("mine: 1\n"));
    replaceFile(desk.path, "seed: 8\n");
    QTRY_VERIFY(desk.bar()->isVisible());
    desk.press(desk.bar(), QStringLiteral("Load theirs"));
    QCOMPARE(desk.text(), QStringLiteral("seed: 8\n"));
    QVERIFY(!desk.page()->isModified());
}

void TstEditorDisk::changedOnDisk_asksAndOverwrites()
{
    const EditorDesk desk;
    desk.editor()->setText(QStringLiteral("mine: 1\n"));
    replaceFile(desk.path, "seed: 8\n");
    QTRY_VERIFY(desk.bar()->isVisible());
    desk.press(desk.bar(), QStringLiteral("Overwrite with mine"));
    QTRY_COMPARE(bytesOf(desk.path), QByteArray("mine: 1\n"));
    QTRY_VERIFY(!desk.page()->isModified());
}

void TstEditorDisk::changedOnDisk_isNotSavedOverUnasked()
{
    const EditorDesk desk;
    desk.editor()->setText(QStringLiteral("mine: 1\n"));
    replaceFile(desk.path, "seed: 8\n");
    QTRY_VERIFY(desk.bar()->isVisible());
    bool wentOn = false;
    const std::vector<std::function<void()>> saves { [&] { desk.action("file.save")->trigger(); },
        [&] { desk.page()->saveThen([&] { wentOn = true; }); } };
    for (const auto& save : saves) {
        desk.press(desk.bar(), QStringLiteral("Dismiss"));
        save();
        QTRY_VERIFY(desk.bar()->isVisible());
        QVERIFY(desk.bar()->text().contains(QStringLiteral("changed by another program")));
        QCOMPARE(bytesOf(desk.path), QByteArray("seed: 8\n"));
        QVERIFY(desk.page()->isModified());
        QVERIFY(!wentOn);
    }
    desk.window->showPage(MainWindow::MonitorPageIndex);
    desk.action("file.save")->trigger();
    QTRY_VERIFY(desk.page()->isVisible()); // for the question to be seen
    desk.press(desk.bar(), QStringLiteral("Overwrite with mine"));
    QTRY_VERIFY(!desk.page()->isModified());
    QCOMPARE(bytesOf(desk.path), QByteArray("mine: 1\n"));
    QVERIFY(!desk.bar()->isVisible());
    QVERIFY(!wentOn);
}

void TstEditorDisk::changedOnDisk_keepsTheTabThatWouldClose()
{
    const EditorDesk desk;
    desk.editor()->setText(QStringLiteral("mine: 1\n"));
    replaceFile(desk.path, "seed: 8\n");
    QTRY_VERIFY(desk.bar()->isVisible());
    const Answers answers { QMessageBox::Save };
    QVERIFY(!desk.window->close());
    QVERIFY(answers.areGiven());
    QVERIFY(desk.page()->isModified());
    QVERIFY(desk.bar()->isVisible());
    QCOMPARE(bytesOf(desk.path), QByteArray("seed: 8\n"));
}

void TstEditorDisk::changedOnDiskToTheTextHere_isSaved()
{
    const EditorDesk desk;
    desk.editor()->setText(QStringLiteral("seed: 8\n"));
    writeFile(desk.path, "seed: 8\n");
    QTRY_VERIFY(!desk.page()->isModified());
    QVERIFY(!desk.bar()->isVisible());
}

void TstEditorDisk::changedOnDiskAndBack_asksNothing()
{
    const EditorDesk desk;
    const QByteArray before = bytesOf(desk.path);
    desk.editor()->append(QStringLiteral("mine: 1\n"));
    replaceFile(desk.path, "seed: 8\n");
    QTRY_VERIFY(desk.bar()->isVisible());
    replaceFile(desk.path, before);
    QTRY_VERIFY(!desk.bar()->isVisible());
    QVERIFY(desk.page()->isModified());
    desk.page()->save();
    QTRY_VERIFY(!desk.page()->isModified());
    QCOMPARE(bytesOf(desk.path), before + "mine: 1\n");
}

/// No watch tells in time, or at all, what happens on a network's disk.
void TstEditorDisk::changedUnseen_isNotWrittenOver()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.yaml"));
    writeFile(path, "seed: 1\n");
    RecipeFile file(path);
    QSignalSpy loaded(&file, &RecipeFile::loaded);
    QSignalSpy changed(&file, &RecipeFile::changedOnDisk);
    QSignalSpy saved(&file, &RecipeFile::saved);
    file.load();
    QTRY_COMPARE(loaded.count(), 1);
    writeFile(path, "seed: 8\n");
    file.save(QStringLiteral("mine: 1\n")); // before any event
    QTRY_VERIFY(!changed.isEmpty());
    QCOMPARE(changed.last().front().toString(), QStringLiteral("seed: 8\n"));
    writeFile(path, "seed: 9\n");
    QVERIFY(!file.saveAndWait(QStringLiteral("mine: 1\n")));
    QCOMPARE(bytesOf(path), QByteArray("seed: 9\n"));
    QCOMPARE(saved.count(), 0);
    QVERIFY(QFile::remove(path)); // nothing in the way
    QVERIFY(file.saveAndWait(QStringLiteral("mine: 1\n")));
    QCOMPARE(bytesOf(path), QByteArray("mine: 1\n"));
}

/// Its text is on the disk a moment before the writer says so.
void TstEditorDisk::ownSave_isNotTakenForAnothers()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.yaml"));
    writeFile(path, "seed: 1\n");
    RecipeFile file(path);
    QSignalSpy loaded(&file, &RecipeFile::loaded);
    QSignalSpy changed(&file, &RecipeFile::changedOnDisk);
    QSignalSpy saved(&file, &RecipeFile::saved);
    file.load();
    QTRY_COMPARE(loaded.count(), 1);
    QThreadPool::globalInstance()->setMaxThreadCount(2); // the writer's, and one for all others
    holdsNextRename = true;
    file.save(QStringLiteral("mine: 1\n"));
    QVERIFY(renamed.tryAcquire(1, 30000));
    QVERIFY(QMetaObject::invokeMethod(&file, "look", Qt::DirectConnection));
    bool isRead = false;
    whenDone(QtConcurrent::run([] {}), this, [&] { isRead = true; });
    QTRY_VERIFY(isRead);
    QCOMPARE(changed.count(), 0);
    QCOMPARE(saved.count(), 0);
    mayReturn.release();
    QTRY_COMPARE(saved.count(), 1);
    QThreadPool::globalInstance()->setMaxThreadCount(QThread::idealThreadCount());
    QCOMPARE(changed.count(), 0);
}

void TstEditorDisk::savesInARow_leaveTheLast()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.yaml"));
    writeFile(path, "seed: 1\n");
    RecipeFile file(path);
    QSignalSpy loaded(&file, &RecipeFile::loaded);
    QSignalSpy saved(&file, &RecipeFile::saved);
    file.load();
    QTRY_COMPARE(loaded.count(), 1);
    holdsNextRename = true;
    file.save(QStringLiteral("seed: 2\n"));
    QVERIFY(renamed.tryAcquire(1, 30000));
    file.save(QStringLiteral("seed: 3\n"));
    file.save(QStringLiteral("seed: 4\n"));
    mayReturn.release();
    QTRY_COMPARE(saved.count(), 1);
    QCOMPARE(saved.front().front().toString(), QStringLiteral("seed: 4\n"));
    QCOMPARE(bytesOf(path), QByteArray("seed: 4\n"));

    holdsNextRename = true;
    file.save(QStringLiteral("seed: 5\n"));
    QVERIFY(renamed.tryAcquire(1, 30000));
    mayReturn.release();
    QVERIFY(file.saveAndWait(QStringLiteral("seed: 6\n")));
    QCOMPARE(bytesOf(path), QByteArray("seed: 6\n"));
}

void TstEditorDisk::typedWhileItSaves_isAskedForBeforeTheTabCloses()
{
    const EditorDesk desk;
    desk.editor()->setText(QStringLiteral("seed: 2\n"));
    const Answers answers { QMessageBox::Save, QMessageBox::Cancel };
    holdsNextRename = true;
    QVERIFY(desk.window->recipes()->close(desk.page()));
    QVERIFY(renamed.tryAcquire(1, 30000));
    desk.editor()->append(QStringLiteral("mine: 1\n"));
    mayReturn.release();
    QTRY_VERIFY(answers.areGiven());
    QCOMPARE(bytesOf(desk.path), QByteArray("seed: 2\n"));
    QCOMPARE(desk.text(), QStringLiteral("seed: 2\nmine: 1\n"));
    QVERIFY(desk.page()->isModified());
    desk.page()->discardChanges();
}

void TstEditorDisk::closedAgainWhileItSaves_closes_data()
{
    QTest::addColumn<bool>("isWindow");
    QTest::newRow("tab") << false;
    QTest::newRow("window") << true;
}

void TstEditorDisk::closedAgainWhileItSaves_closes()
{
    QFETCH(bool, isWindow);
    const EditorDesk desk;
    desk.editor()->setText(QStringLiteral("seed: 2\n"));
    const Answers answers { QMessageBox::Save };
    holdsNextRename = true;
    RecipeTabs* tabs = desk.window->recipes();
    QVERIFY(tabs->close(desk.page()));
    QVERIFY(renamed.tryAcquire(1, 30000));
    QTimer::singleShot(0, tabs, [] { mayReturn.release(); }); // while it asks again
    QVERIFY(isWindow ? tabs->closeAll() : tabs->close(desk.page()));
    QCOMPARE(tabs->current(), nullptr);
    QCOMPARE(bytesOf(desk.path), QByteArray("seed: 2\n"));
}

/// What is typed before and after a save may be taken back by one step.
void TstEditorDisk::undonePastWhatIsSaved_countsAsUnsaved()
{
    const EditorDesk desk;
    const QString before = desk.text();
    QSignalSpy saved(desk.page()->findChild<RecipeFile*>(), &RecipeFile::saved);
    desk.editor()->setFocus();
    desk.key(Qt::Key_End, Qt::ControlModifier);
    desk.type(QStringLiteral("a"));
    holdsNextRename = true;
    desk.key(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(renamed.tryAcquire(1, 30000));
    desk.type(QStringLiteral("b"));
    mayReturn.release();
    QTRY_COMPARE(saved.count(), 1);
    desk.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.text(), before);
    QVERIFY(desk.page()->isModified());
    QVERIFY(desk.page()->title().endsWith(QLatin1Char('*')));
    desk.key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!desk.page()->isModified());
    QCOMPARE(bytesOf(desk.path), before.toUtf8());
}

void TstEditorDisk::windowThatStays_discardsNothing()
{
    const EditorDesk desk;
    const QString other = desk.folder.filePath(QStringLiteral("other.yaml"));
    writeFile(other, "seed: 1\n");
    desk.openRecipe(other);
    for (RecipePage* page : desk.window->recipes()->pages())
        page->editor()->append(QStringLiteral("mine: 1\n"));
    const Answers answers { QMessageBox::Discard, QMessageBox::Cancel };
    QVERIFY(!desk.window->close());
    QVERIFY(answers.areGiven());
    for (RecipePage* page : desk.window->recipes()->pages())
        QVERIFY2(page->isModified(), qPrintable(page->path()));
}

void TstEditorDisk::removedFile_countsAsUnsavedUntilSaved()
{
    const EditorDesk desk;
    for (const bool byKey : { false, true }) {
        QVERIFY(QFile::remove(desk.path));
        QTRY_VERIFY(desk.page()->isModified());
        QVERIFY(desk.page()->title().endsWith(QLatin1Char('*')));
        QVERIFY(desk.bar()->isVisible());
        if (byKey)
            desk.action("file.save")->trigger();
        else
            desk.press(desk.bar(), QStringLiteral("Save it again"));
        QTRY_VERIFY(!desk.page()->isModified());
        QVERIFY(!desk.bar()->isVisible());
        QCOMPARE(bytesOf(desk.path), desk.text().toUtf8());
    }
}

/// As where another branch is checked out and the first one again.
void TstEditorDisk::removedFile_thatComesBackLaterIsNoticed()
{
    const EditorDesk desk;
    const QByteArray bytes = bytesOf(desk.path);
    QVERIFY(QFile::remove(desk.path));
    QTRY_VERIFY(desk.page()->isModified());
    writeFile(desk.path, bytes);
    QTRY_VERIFY_WITH_TIMEOUT(!desk.page()->isModified(), 15000);
    QVERIFY(!desk.bar()->isVisible());
}

/// Its page had been read, so nothing else would tell.
void TstEditorDisk::fileRemovedBeforeItsWatch_isToldOnce()
{
    const QTemporaryDir folder;
    const QString gone = folder.filePath(QStringLiteral("gone.yaml"));
    const QString there = folder.filePath(QStringLiteral("there.yaml"));
    writeFile(there, "seed: 1\n");
    auto* watch = new FileWatch;
    int told = 0;
    QObject listener;
    connect(watch, &FileWatch::changed, &listener, [&] { ++told; });
    const auto toldOf = [&](const QString& path, bool wasThere) {
        told = 0;
        watch->watch(path, wasThere);
        QMetaObject::invokeMethod(
            watch, [] {}, Qt::BlockingQueuedConnection); // it has begun
        QCoreApplication::sendPostedEvents(&listener);
        return told;
    };
    QCOMPARE(toldOf(gone, true), 1);
    QCOMPARE(toldOf(gone, false), 0);
    QCOMPARE(toldOf(there, false), 1);
    watch->deleteLater();
}

/// GBK's bytes would come back from an editor as others.
void TstEditorDisk::otherThanUtf8_isRefusedUntilItIsMended()
{
    const EditorDesk desk;
    const QString path = desk.folder.filePath(QStringLiteral("gbk.yaml"));
    const QByteArray gbk = "# \xd3\xef\xd2\xf4\nseed: 1\n";
    writeFile(path, gbk);
    desk.window->openRecipe(path);
    QTRY_VERIFY2(desk.bar()->text().contains(QStringLiteral("line 1: not UTF-8")),
        qPrintable(desk.bar()->text()));
    const auto* hint = desk.window->findChild<ProblemsPanel*>()->findChild<QLabel*>();
    QCOMPARE(hint->text(), QStringLiteral("Not checked yet."));
    desk.editor()->setFocus();
    desk.type(QStringLiteral("x"));
    QCOMPARE(desk.text(), QString());
    desk.page()->save();
    desk.page()->saveAs(path);
    QVERIFY(!desk.page()->isModified());
    QCOMPARE(bytesOf(path), gbk);
    writeFile(path, "# 语音\nseed: 1\n");
    desk.press(desk.bar(), QStringLiteral("Try again"));
    QTRY_COMPARE(desk.text(), QStringLiteral("# 语音\nseed: 1\n"));
    desk.type(QStringLiteral("x"));
    QVERIFY(desk.page()->isModified());
    desk.page()->discardChanges();
}

void TstEditorDisk::otherThanUtf8WhileOpen_leavesTheTextHere()
{
    const EditorDesk desk;
    const QString text = desk.text();
    const QByteArray gbk = "# \xd3\xef\xd2\xf4\nseed: 1\n";
    replaceFile(desk.path, gbk);
    QTRY_VERIFY2(desk.bar()->text().contains(QStringLiteral("cannot be read any more")),
        qPrintable(desk.bar()->text()));
    QCOMPARE(desk.text(), text);
    QVERIFY(desk.page()->isModified());
    desk.press(desk.bar(), QStringLiteral("Dismiss"));
    desk.page()->save();
    QTRY_VERIFY(desk.bar()->isVisible());
    QCOMPARE(bytesOf(desk.path), gbk);
    replaceFile(desk.path, text.toUtf8());
    QTRY_VERIFY(!desk.page()->isModified());
    QVERIFY(!desk.bar()->isVisible());
}

void TstEditorDisk::saveAs_takesTheNewPath()
{
    const EditorDesk desk;
    desk.editor()->setText(QStringLiteral("mine: 1\n"));
    desk.page()->swapFile()->writeAndWait();
    QSignalSpy moved(desk.window->recipes(), &RecipeTabs::pathsChanged);
    desk.action("file.saveAs")->trigger();
    auto* dialog = desk.page()->findChild<QFileDialog*>(QStringLiteral("saveAsDialog"));
    QVERIFY(dialog);
    dialog->selectFile(QStringLiteral("newname"));
    QVERIFY(QMetaObject::invokeMethod(dialog, "accept"));
    const QString made = desk.folder.filePath(QStringLiteral("newname.yaml"));
    QTRY_COMPARE(desk.page()->path(), made);
    QTRY_VERIFY(!desk.page()->isModified());
    QCOMPARE(moved.count(), 1);
    QCOMPARE(bytesOf(made), QByteArray("mine: 1\n"));
    QCOMPARE(desk.window->recipes()->paths(), QStringList { made });
    QCOMPARE(
        desk.window->recipes()->findChild<QTabBar*>()->tabText(0), QStringLiteral("newname.yaml"));
    QTRY_COMPARE(EditorDesk::swapFiles(), QStringList());
}

void TstEditorDisk::saveAs_thatFailsChangesNothing()
{
    const EditorDesk desk;
    desk.editor()->setText(QStringLiteral("mine: 1\n"));
    desk.page()->swapFile()->writeAndWait();
    const QByteArray kept = bytesOf(desk.page()->swapFile()->path());
    desk.page()->saveAs(desk.path + QStringLiteral("/below-a-file.yaml"));
    QTRY_VERIFY(desk.bar()->text().contains(QStringLiteral("below-a-file.yaml")));
    QCOMPARE(desk.page()->path(), desk.path);
    QVERIFY(desk.page()->isModified());
    QCOMPARE(bytesOf(desk.page()->swapFile()->path()), kept);
    desk.press(desk.bar(), QStringLiteral("Try again"));
    QTRY_VERIFY(desk.bar()->isVisible());
    desk.press(desk.bar(), QStringLiteral("Save As…"));
    auto* dialog = desk.page()->findChild<QFileDialog*>(QStringLiteral("saveAsDialog"));
    QVERIFY(dialog);
    dialog->reject();
    desk.page()->save();
    QTRY_VERIFY(!desk.page()->isModified());
    QCOMPARE(bytesOf(desk.path), QByteArray("mine: 1\n"));
}

EARWRIGHT_TEST(TstEditorDisk)
#include "tst_editor_disk.moc"
