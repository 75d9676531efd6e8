#include "tests/registry.h"
#include "tests/ui/desk.h"
#include "tests/ui/editor_desk.h"
#include "tests/ui/run_folders.h"
#include "ui/editor/form_model.h"
#include "ui/editor/form_panel.h"
#include "ui/launch/launch_panel.h"
#include "ui/launch/overrides_model.h"
#include "ui/launch/resume_dialog.h"
#include "ui/widgets/info_bar.h"

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStatusBar>
#include <QTableView>
#include <QThreadPool>
#include <QTreeView>

using namespace earwright;
using namespace earwright::ui;

namespace {

/// Stands where earwright is looked for: notes what it is called with, and the recipe as it is
/// then.
class NotedCalls final {
public:
    NotedCalls()
    {
        writeFile(m_program,
            "#!/bin/sh\n"
            "{ echo \"$*\"\n"
            "for word; do case $word in *.yaml) cat \"$word\"; esac; done; } >>\"$0.calls\"\n"
            "exit 3\n");
        if (!QFile::setPermissions(
                m_program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner))
            qFatal("cannot write a program");
        qputenv("EARWRIGHT_BINARY", m_program.toLocal8Bit());
    }
    ~NotedCalls()
    {
        m_before.isEmpty() ? qunsetenv("EARWRIGHT_BINARY") : qputenv("EARWRIGHT_BINARY", m_before);
    }
    QString noted() const
    {
        QFile file(m_program + QStringLiteral(".calls"));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    bool has(const QString& line) const
    {
        return noted().contains(
            QRegularExpression(u'^' + line + u'$', QRegularExpression::MultilineOption));
    }

private:
    QTemporaryDir m_folder;
    QString m_program = m_folder.filePath(QStringLiteral("earwright"));
    QByteArray m_before = qgetenv("EARWRIGHT_BINARY");
};

/// Begins to type a value for a setting into the form.
void typeIntoForm(const EditorDesk& desk, const QString& setting, const QString& value)
{
    desk.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    const FormModel* model = desk.page()->form()->model();
    QTRY_VERIFY(model->find(setting).isValid());
    desk.find<QTreeView>("formView")->setCurrentIndex(model->find(setting));
    desk.key(Qt::Key_Return);
    desk.type(value);
}

} // namespace

/// Starting a run: what is still being typed counts, and what keeps it from starting is told.
class TstLaunch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void overrideBeingTyped_isOfTheRun_data();
    void overrideBeingTyped_isOfTheRun();
    void overrideBeingTyped_staysWithItsRecipe();
    void valueBeingTypedIntoTheForm_isOfTheRun();
    void refusedValueOfTheForm_startsNothing();
    void brokenRecipe_cannotBeStarted();
    void finishedRun_getsMoreEpochs();
    void resumeDialog_givesWhatChanges_data();
    void resumeDialog_givesWhatChanges();
    void refusedStart_showsTheErrorUntilItIsMended();
    void missingProgram_isSaidInWords();
};

void TstLaunch::overrideBeingTyped_isOfTheRun_data()
{
    QTest::addColumn<QKeyCombination>("keys");
    QTest::addColumn<QString>("verb");
    QTest::newRow("start") << QKeyCombination(Qt::Key_F5) << QStringLiteral("train");
    QTest::newRow("queue") << QKeyCombination(Qt::Key_F6) << QStringLiteral("queue add");
    QTest::newRow("all precisions")
        << QKeyCombination(Qt::ControlModifier, Qt::Key_F5) << QStringLiteral("compare");
}

void TstLaunch::overrideBeingTyped_isOfTheRun()
{
    QFETCH(QKeyCombination, keys);
    QFETCH(QString, verb);
    const NotedCalls earwright;
    const EditorDesk desk;
    auto* view = desk.find<QTableView>("overridesView");
    QVERIFY(
        view->model()->setData(view->model()->index(0, OverridesModel::Key), QStringLiteral("lr")));
    view->setFocus();
    view->setCurrentIndex(view->model()->index(0, OverridesModel::Value));
    desk.type(QStringLiteral("0.5"));
    desk.key(keys.key(), keys.keyboardModifiers());
    QTRY_VERIFY2(
        earwright.has(verb + QStringLiteral(" .* lr=0\\.5")), qPrintable(earwright.noted()));
}

void TstLaunch::overrideBeingTyped_staysWithItsRecipe()
{
    const EditorDesk desk;
    const QString other = desk.folder.filePath(QStringLiteral("other.yaml"));
    writeFile(other, "seed: 1\n");
    auto* view = desk.find<QTableView>("overridesView");
    view->setFocus();
    view->setCurrentIndex(view->model()->index(0, OverridesModel::Key));
    desk.type(QStringLiteral("lr"));
    desk.openRecipe(other);
    QCOMPARE(desk.window->launchPanel()->request().overrides, QStringList());
    desk.window->openRecipe(desk.path);
    QCOMPARE(
        desk.window->launchPanel()->request().overrides, QStringList { QStringLiteral("lr=") });
}

void TstLaunch::valueBeingTypedIntoTheForm_isOfTheRun()
{
    const NotedCalls earwright;
    const EditorDesk desk;
    typeIntoForm(desk, QStringLiteral("enc.dropout"), QStringLiteral("0.25"));
    desk.key(Qt::Key_F5);
    QTRY_VERIFY2(earwright.has(QStringLiteral("train .*")), qPrintable(earwright.noted()));
    QTRY_VERIFY2(
        earwright.has(QStringLiteral("    dropout: 0\\.25")), qPrintable(earwright.noted()));
}

void TstLaunch::refusedValueOfTheForm_startsNothing()
{
    const NotedCalls earwright;
    const EditorDesk desk;
    typeIntoForm(desk, QStringLiteral("enc.dropout"), QStringLiteral("much"));
    desk.key(Qt::Key_F5);
    const auto* about = desk.find<QLabel>("formAbout");
    QTRY_VERIFY2(
        about->text().startsWith(QStringLiteral("enc.dropout: ")), qPrintable(about->text()));
    QThreadPool::globalInstance()->waitForDone();
    QVERIFY(!QDir(desk.folder.filePath(QStringLiteral("runs"))).exists());
}

void TstLaunch::brokenRecipe_cannotBeStarted()
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
void TstLaunch::refusedStart_showsTheErrorUntilItIsMended()
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

void TstLaunch::missingProgram_isSaidInWords()
{
    const QByteArray before = qgetenv("EARWRIGHT_BINARY");
    qputenv("EARWRIGHT_BINARY", "/nowhere/earwright");
    Desk desk;
    writeManifests(desk.folder.filePath(QStringLiteral("data")));
    desk.open();
    desk.openRecipe(
        writeDemoRecipe(desk.folder.path(), desk.folder.filePath(QStringLiteral("data"))));
    desk.action("run.start")->trigger();
    const auto* bar
        = desk.window->centralWidget()->findChild<InfoBar*>(QString(), Qt::FindDirectChildrenOnly);
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->text().contains(QStringLiteral("/nowhere/earwright")), qPrintable(bar->text()));
    QCOMPARE(
        QDir(desk.runsRoot()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
    before.isEmpty() ? qunsetenv("EARWRIGHT_BINARY") : qputenv("EARWRIGHT_BINARY", before);
}

/// From the run list, by the keyboard; what the program refuses is told, though the run has a
/// result.
void TstLaunch::finishedRun_getsMoreEpochs()
{
    const NotedCalls calls;
    Desk desk;
    const QString run
        = writeRecordedRun(desk.runsRoot(), QStringLiteral("done"), QStringLiteral("digits_fp32"));
    writeFile(run + QStringLiteral("/studio-launch.log"), "what it said before\n");
    desk.open();
    desk.window->selectRun(run);
    QTRY_VERIFY(desk.action("run.resumeWith")->isEnabled());
    QVERIFY(!desk.action("run.resume")->isEnabled());
    const auto* list = desk.window->findChild<QListView*>(QStringLiteral("runView"));
    QVERIFY(list->actions().contains(desk.action("run.resumeWith"))); // its context menu
    desk.window->activateWindow(); // no shortcut works elsewhere
    QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
    const auto snapshot = [&] { return desk.window->session().snapshot(run); };
    QTRY_VERIFY(snapshot() && snapshot()->started.numberOfEpochs > 0);
    QTest::keyClick(desk.window.get(), Qt::Key_F5, Qt::AltModifier | Qt::ShiftModifier);
    auto* dialog = desk.window->findChild<ResumeDialog*>();
    QVERIFY(dialog);
    auto* epochs = dialog->findChild<QSpinBox*>(QStringLiteral("epochs"));
    QCOMPARE(epochs->value(), static_cast<int>(snapshot()->started.numberOfEpochs));
    epochs->setValue(epochs->value() + 7);
    const QString asked = QStringLiteral("--number_of_epochs=%1").arg(epochs->value());
    QTest::keyClick(epochs, Qt::Key_Return);
    QTRY_VERIFY2(
        calls.has(QRegularExpression::escape(QStringLiteral("resume %1 %2").arg(run, asked))),
        qPrintable(calls.noted()));
    auto* bar = desk.window->findChild<InfoBar*>();
    QTRY_VERIFY2(bar->text().contains(QStringLiteral("did not start")), qPrintable(bar->text()));
    QVERIFY2(!bar->text().contains(QStringLiteral("before")), qPrintable(bar->text()));
}

void TstLaunch::resumeDialog_givesWhatChanges_data()
{
    QTest::addColumn<int>("epochs");
    QTest::addColumn<QString>("others");
    QTest::addColumn<QStringList>("chosen"); // null = refused
    QTest::newRow("nothing") << 10 << QString() << QStringList { QString() };
    QTest::newRow("epochs") << 12 << QString() << QStringList { "--number_of_epochs=12" };
    QTest::newRow("others") << 10 << QStringLiteral("num_workers=0 --test_search.beam_size=20")
                            << QStringList { "--num_workers=0", "--test_search.beam_size=20" };
    QTest::newRow("fewer than done") << 1 << QString() << QStringList { "--number_of_epochs=4" };
    QTest::newRow("no setting") << 12 << QStringLiteral("num_workers") << QStringList();
}

void TstLaunch::resumeDialog_givesWhatChanges()
{
    QFETCH(int, epochs);
    QFETCH(QString, others);
    QFETCH(QStringList, chosen);
    auto* dialog = new ResumeDialog(10, 4);
    QSignalSpy spy(dialog, &ResumeDialog::chosen);
    dialog->show();
    dialog->findChild<QSpinBox*>(QStringLiteral("epochs"))->setValue(epochs);
    auto* line = dialog->findChild<QLineEdit*>(QStringLiteral("otherSettings"));
    line->setText(others);
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(spy.size(), chosen.isEmpty() ? 0 : 1);
    if (chosen.isEmpty())
        QVERIFY(dialog->isVisible());
    else
        QCOMPARE(spy[0][0].toStringList(), chosen.filter(QRegularExpression(".+")));
    dialog->close();
}

EARWRIGHT_TEST(TstLaunch)
#include "tst_launch.moc"
