#include "core/run/event_log.h"
#include "core/run/queue.h"
#include "tests/registry.h"
#include "tests/ui/capsule_file.h"
#include "tests/ui/desk.h"
#include "tests/ui/file_calls.h"
#include "tests/ui/hotword_run.h"
#include "tests/ui/utterance_run.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/compare_page.h"
#include "ui/editor/completer.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/editor/swap_file.h"
#include "ui/session/devices.h"
#include "ui/utterances/sound_view.h"
#include "ui/widgets/figure_table.h"

#include <QFileDialog>
#include <QKeyEvent>
#include <QListView>
#include <QSignalSpy>
#include <QTabBar>
#include <QtConcurrentRun>

using namespace earwright;
using namespace earwright::ui;

namespace {

/// Waits without asking the disk; says what was waited for.
template <class Condition>
void waitFor(const char* what, Condition condition)
{
    if (!QTest::qWaitFor(condition, 30000))
        qFatal("%s did not come", what);
}

QString report(const FileCalls& calls)
{
    return calls.seen().join(QLatin1Char('\n'));
}

} // namespace

/// A disk may take seconds to answer, or never do: the thread that paints asks it nothing.
class TstFileAccess : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void helper_seesTheGuiThreadsCallsOnly();
    void recipe_isOpenedTypedInSavedAndClosed();
    void path_isCompletedWhileTheListIsBehind();
    void runs_areListedSwitchedAndCompared();
    void runThatGrows_isFollowed();
    void hotwords_areShownAndFollowed();
    void utterances_areReadAndExported();
    void capsule_isOpenedAndClosed();
    void plots_areExported_data();
    void plots_areExported();
    void queue_isReordered();
    void machine_isProbed();
    void training_isStarted();

private:
    std::unique_ptr<Desk> m_desk;
    QString m_recipe;
};

void TstFileAccess::init()
{
    m_desk = std::make_unique<Desk>();
    const QString data = m_desk->folder.filePath(QStringLiteral("data"));
    writeManifests(data);
    m_recipe = writeDemoRecipe(m_desk->folder.path(), data);
}

void TstFileAccess::helper_seesTheGuiThreadsCallsOnly()
{
    const QString path = m_desk->folder.filePath(QStringLiteral("a file"));
    const auto ask = [path] {
        writeFile(path, "text");
        (void)QFileInfo::exists(path);
        (void)std::filesystem::exists(path.toStdString());
        (void)std::filesystem::directory_iterator(
            std::filesystem::path(path.toStdString()).parent_path());
    };
    const FileCalls calls;
    QtConcurrent::run(ask).waitForFinished();
    QCOMPARE(report(calls), QString());
    ask();
    QVERIFY2(calls.seen().size() >= 4, qPrintable(report(calls)));
    QVERIFY(report(calls).contains(QStringLiteral("open")));
}

void TstFileAccess::recipe_isOpenedTypedInSavedAndClosed()
{
    m_desk->open();
    const FileCalls calls;
    RecipePage* page = m_desk->openRecipe(m_recipe);
    QCOMPARE(report(calls), QString());

    page->swapFile()->setDelayMs(0);
    QSignalSpy kept(page->swapFile(), &SwapFile::written);
    QTest::keyClick(page->editor(), Qt::Key_End, Qt::ControlModifier);
    QTest::keyClicks(page->editor(), QStringLiteral("mine: !ref <"));
    QTest::keyClick(page->editor(), Qt::Key_Space, Qt::ControlModifier);
    QTest::keyClick(page->editor(), Qt::Key_Escape);
    QTest::keyClicks(page->editor(), QStringLiteral("n_mels>"));
    QTest::keyClick(page->editor(), Qt::Key_Return);
    waitFor("the swap file", [&] { return !kept.isEmpty(); });
    QCOMPARE(report(calls), QString());

    m_desk->action("file.save")->trigger();
    waitFor("the end of saving", [page] { return !page->isModified(); });
    m_desk->action("file.close")->trigger();
    waitFor("the end of the tab", [this] { return !m_desk->window->recipes()->current(); });
    QCOMPARE(report(calls), QString());
}

void TstFileAccess::path_isCompletedWhileTheListIsBehind()
{
    m_desk->open();
    RecipePage* page = m_desk->openRecipe(m_recipe);
    page->editor()->setFocus();
    const CompletionPopup* popup = page->completer()->popup();
    const FileCalls calls;
    QTest::keyClick(page->editor(), Qt::Key_End, Qt::ControlModifier);
    QTest::keyClicks(
        page->editor(), QStringLiteral("mine: ") + m_desk->folder.path() + QLatin1Char('/'));
    waitFor("the list", [popup] { return popup->isVisible() && popup->count() > 1; });
    // At once, before there is a list for the letter.
    QKeyEvent letter(QEvent::KeyPress, Qt::Key_D, Qt::NoModifier, QStringLiteral("d"));
    QKeyEvent enter(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier);
    QCoreApplication::sendEvent(page->editor(), &letter);
    QCoreApplication::sendEvent(page->editor(), &enter);
    QCOMPARE(report(calls), QString());
    QVERIFY2(page->editor()->text().endsWith(m_desk->folder.path() + QStringLiteral("/data/")),
        qPrintable(page->editor()->text().right(200)));
    page->discardChanges();
}

void TstFileAccess::runs_areListedSwitchedAndCompared()
{
    const QStringList runs {
        writeRecordedRun(m_desk->runsRoot(), QStringLiteral("fp32"), QStringLiteral("digits_fp32")),
        writeRecordedRun(m_desk->runsRoot(), QStringLiteral("bf16"), QStringLiteral("digits_bf16"))
    };
    m_desk->open();
    const FileCalls calls;
    waitFor("the list", [this] { return m_desk->window->runs().rowCount() == 2; });
    for (const QString& run : runs) {
        m_desk->window->selectRun(run);
        m_desk->window->showPage(MainWindow::MonitorPageIndex);
        waitFor("the curve", [this] { return m_desk->numLossPoints() == 480; });
    }
    QCOMPARE(report(calls), QString());
    m_desk->window->compareRuns(runs);
    const CompareModel* model = m_desk->window->findChild<ComparePage*>()->model();
    waitFor("the comparison", [model] { return model->rowCount() == 2; });
    m_desk->lossPlot()->refresh();
    QCOMPARE(report(calls), QString());
}

void TstFileAccess::runThatGrows_isFollowed()
{
    const run::RunFolder folder = writePlannedRun(m_desk->runsRoot(), QStringLiteral("growing"));
    const auto writer = run::EventWriter::open(folder.events(0), 0);
    QVERIFY(bool(writer));
    (*writer)->write({ 0, run::RunStarted { .name = "growing", .devices = { "cpu" } } });
    m_desk->open();
    const FileCalls calls;
    waitFor("the list", [this] { return m_desk->window->runs().rowCount() == 1; });
    m_desk->window->selectRun(QString::fromStdString(folder.path.string()));
    m_desk->window->showPage(MainWindow::MonitorPageIndex);
    for (int64_t step = 1; step <= 20; ++step) {
        (*writer)->write(
            { 0, run::Scalar { "train/loss", step, 1.0 / static_cast<double>(step) } });
        (*writer)->flush();
        waitFor("the next point",
            [this, step] { return m_desk->numLossPoints() == static_cast<size_t>(step); });
    }
    QCOMPARE(report(calls), QString());
}

void TstFileAccess::hotwords_areShownAndFollowed()
{
    const QString run = writeHotwordRun(m_desk->runsRoot(), QStringLiteral("seaco"));
    m_desk->open();
    const auto* table
        = m_desk->window->findChild<FigureTable*>(QStringLiteral("hotwordTable"))->model();
    {
        const FileCalls calls;
        waitFor("the list", [this] { return m_desk->window->runs().rowCount() == 1; });
        m_desk->window->selectRun(run);
        m_desk->action("view.evaluations")->trigger();
        waitFor("the phrases", [table] { return table->rowCount() == 4; });
        m_desk->action("view.hotwords")->trigger();
        QCOMPARE(report(calls), QString());
    }
    const QByteArray longer = hotwordTsv() + "more\tno\t1\t1\t1\n";
    writeFile(run + QStringLiteral("/alignments/test-hotwords.tsv"), longer);
    const FileCalls calls;
    waitFor("the new phrase", [table] { return table->rowCount() == 5; });
    QCOMPARE(report(calls), QString());
}

void TstFileAccess::utterances_areReadAndExported()
{
    const QString run = writeUtteranceRun(m_desk->runsRoot(), QStringLiteral("words"));
    m_desk->open();
    auto* table = m_desk->window->findChild<FigureTable*>(QStringLiteral("utterances"));
    const auto* sound = m_desk->window->findChild<SoundView*>();
    {
        const FileCalls calls;
        m_desk->window->selectRun(run);
        m_desk->action("view.utterances")->trigger();
        waitFor("the utterances", [table] { return table->model()->rowCount() == 4; });
        waitFor("the sound", [sound] { return sound->sound() != nullptr; });
        auto* tabs = m_desk->window->findChild<QTabBar*>(QStringLiteral("utteranceTabs"));
        const auto* errors = m_desk->window->findChild<FigureTable*>(QStringLiteral("confusions"));
        tabs->setCurrentIndex(1);
        waitFor("the confusions", [errors] { return errors->model()->rowCount() == 5; });
        tabs->setCurrentIndex(0);
        m_desk->action("utterance.play")->trigger();
        m_desk->action("utterance.play")->trigger();
        table->setCurrentIndex(table->model()->index(3, 0));
        waitFor("the missing sound",
            [sound] { return sound->sound() && !sound->sound()->error.isEmpty(); });
        QCOMPARE(report(calls), QString());
    }
    m_desk->action("utterance.export")->trigger();
    auto* dialog = m_desk->window->findChild<QFileDialog*>();
    QVERIFY(dialog);
    dialog->hide();
    const QString path = m_desk->folder.filePath(QStringLiteral("utterances.csv"));
    {
        const FileCalls calls;
        Q_EMIT dialog->fileSelected(path);
        QThreadPool::globalInstance()->waitForDone();
        QCOMPARE(report(calls), QString());
    }
    QCOMPARE(bytesOf(path).count('\n'), 5);
}

void TstFileAccess::capsule_isOpenedAndClosed()
{
    const QString capsule = writeCapsule(
        m_desk->folder.filePath(QStringLiteral("model.earwright")), QStringLiteral("digits_fp32"));
    m_desk->open();
    const RunListModel& runs = m_desk->window->runs();
    {
        const FileCalls calls;
        m_desk->window->openFile(capsule);
        waitFor("the capsule", [&] { return runs.rowCount() == 1; });
        waitFor("the curve", [this] { return m_desk->numLossPoints() == 480; });
        m_desk->action("file.closeCapsule")->trigger();
        QCOMPARE(runs.rowCount(), 0);
        m_desk->window->openFile(capsule);
        waitFor("the capsule again", [&] { return runs.rowCount() == 1; });
        m_desk->window.reset();
        QCOMPARE(report(calls), QString());
    }
}

void TstFileAccess::plots_areExported_data()
{
    QTest::addColumn<QString>("file");
    for (const char* file : { "all.csv", "plots.png", "plots.pdf", "plots.svg" })
        QTest::newRow(file) << QString::fromLatin1(file);
}

/// The dialog that asks where to is Qt's, and asks the disk.
void TstFileAccess::plots_areExported()
{
    QFETCH(QString, file);
    const QString run = writeRecordedRun(
        m_desk->runsRoot(), QStringLiteral("fp32"), QStringLiteral("digits_fp32"));
    m_desk->open();
    m_desk->window->selectRun(run);
    m_desk->window->showPage(MainWindow::MonitorPageIndex);
    waitFor("the curve", [this] { return m_desk->numLossPoints() == 480; });
    m_desk->action("file.export")->trigger();
    auto* dialog = m_desk->window->findChild<QFileDialog*>();
    QVERIFY(dialog);
    dialog->hide();
    const QString path = m_desk->folder.filePath(file);
    {
        const FileCalls calls;
        Q_EMIT dialog->fileSelected(path);
        QThreadPool::globalInstance()->waitForDone();
        QCOMPARE(report(calls), QString());
    }
    QVERIFY(QFileInfo(path).size() > 1000);
}

void TstFileAccess::queue_isReordered()
{
    std::vector<std::string> waiting;
    for (const char* name : { "first", "second" })
        waiting.push_back(writePlannedRun(m_desk->runsRoot(), QLatin1String(name)).path.string());
    QVERIFY(bool(run::editQueue(m_desk->root.toStdString(), [&](run::Queue& queue) {
        queue = { true, waiting };
        return Status(Done {});
    })));
    m_desk->open();
    const FileCalls calls;
    const RunListModel& runs = m_desk->window->runs();
    const QString first = QString::fromStdString(waiting.front());
    waitFor("the list", [&] { return runs.rowCount() == 2; });
    m_desk->window->selectRun(first);
    m_desk->action("run.queueDown")->trigger();
    waitFor("the new order", [&] { return runs.indexOf(first).row() == 1; });
    m_desk->action("run.dequeue")->trigger();
    waitFor("its leaving",
        [&] { return runs.indexOf(first).data(RunListModel::PlaceRole).toInt() == 0; });
    QCOMPARE(report(calls), QString());
}

/// The program is looked for as in a user's session: beside the window and in PATH.
void TstFileAccess::machine_isProbed()
{
    const QByteArray before = qgetenv("EARWRIGHT_BINARY");
    qunsetenv("EARWRIGHT_BINARY");
    {
        const FileCalls calls;
        Devices devices;
        QSignalSpy answered(&devices, &Devices::machineChanged);
        QSignalSpy sampled(&devices, &Devices::loadChanged);
        devices.probe();
        waitFor("the machine", [&] { return !answered.isEmpty() && devices.cpuLoad() >= 0; });
        QCOMPARE(report(calls), QString());
    }
    if (!before.isEmpty())
        qputenv("EARWRIGHT_BINARY", before);
}

void TstFileAccess::training_isStarted()
{
    const QByteArray before = qgetenv("EARWRIGHT_BINARY");
    const QString program = m_desk->folder.filePath(QStringLiteral("earwright"));
    writeFile(program, "#!/bin/sh\necho not today >&2\nexit 3\n");
    QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    qputenv("EARWRIGHT_BINARY", program.toLocal8Bit());
    m_desk->open();
    m_desk->openRecipe(m_recipe);
    {
        auto* bar = m_desk->window->centralWidget()->findChild<QWidget*>(
            QStringLiteral("infoBar"), Qt::FindDirectChildrenOnly);
        const FileCalls calls;
        for (const char* start : { "run.start", "run.queue" }) {
            bar->hide();
            m_desk->action(start)->trigger();
            waitFor("the program's answer", [bar] { return bar->isVisible(); });
        }
        QCOMPARE(report(calls), QString());
    }
    before.isEmpty() ? qunsetenv("EARWRIGHT_BINARY") : qputenv("EARWRIGHT_BINARY", before);
}

EARWRIGHT_TEST(TstFileAccess)
#include "tst_file_access.moc"
