#include "core/engine/queue_server.h"
#include "core/run/queue.h"
#include "tests/ui/desk.h"
#include "tests/ui/run_folders.h"
#include "ui/runs/queue_bar.h"
#include "ui/widgets/info_bar.h"

#include <iostream>
#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QListView>
#include <QMimeData>
#include <QPushButton>

using namespace earwright;
using namespace earwright::ui;

namespace {

/// A window on three runs that wait for the CPU, and one that is done. Nobody serves the queue.
struct QueueDesk : Desk {
    QueueDesk()
    {
        std::vector<std::string> waiting;
        for (const char* name : { "first", "第二个", "third" })
            waiting.push_back(writePlannedRun(runsRoot(), QString::fromUtf8(name)).path.string());
        writeRecordedRun(runsRoot(), QStringLiteral("done"), QStringLiteral("digits_fp32"));
        setQueue({ true, waiting });
    }
    void setQueue(const run::Queue& wanted) const
    {
        const Status edited = run::editQueue(root.toStdString(), [&](run::Queue& queue) {
            queue = wanted;
            return Status(Done {});
        });
        if (!edited)
            qFatal("%s", edited.error().message.c_str());
    }
    /// As the window's list has them, top first.
    QStringList listed() const
    {
        QStringList names;
        for (const run::RunSummary& run : window->runs().runs())
            names << QString::fromStdString(run.folder.path.filename().string());
        return names;
    }
    /// As the queue's file has them.
    QStringList waiting() const
    {
        QStringList names;
        const Result<run::Queue> queue = run::readQueue(root.toStdString());
        for (const std::string& run : queue->runs)
            names << QString::fromStdString(std::filesystem::path(run).filename().string());
        return names;
    }
    QListView* view() const { return window->findChild<QListView*>(QStringLiteral("runView")); }
    /// Selects it as a user does, so that keys go to the list.
    void pick(const QString& name) const
    {
        window->activateWindow();
        if (!QTest::qWaitForWindowActive(window.get()))
            qFatal("the window does not get the keyboard");
        view()->setFocus();
        view()->setCurrentIndex(indexOf(name));
    }
    QModelIndex indexOf(const QString& name) const
    {
        return view()->model()->index(static_cast<int>(listed().indexOf(name)), 0);
    }
    /// With the mouse, to the gap above the run `before`.
    void drag(const QString& name, const QString& before) const
    {
        const std::unique_ptr<QMimeData> data(view()->model()->mimeData({ indexOf(name) }));
        const QPoint gap = view()->visualRect(indexOf(before)).topLeft() + QPoint(20, 1);
        QDragEnterEvent enter(gap, Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QDragMoveEvent move(gap, Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QDropEvent drop(gap, Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        for (QEvent* event : std::initializer_list<QEvent*> { &enter, &move, &drop })
            QCoreApplication::sendEvent(view()->viewport(), event);
    }
    run::State stateNamed(const char* name) const
    {
        return stateOf(root + QLatin1Char('/') + QString::fromUtf8(name));
    }
    QueueBar* bar() const { return window->findChild<QueueBar*>(); }
};

QStringList names(std::initializer_list<const char*> texts)
{
    QStringList list;
    for (const char* text : texts)
        list << QString::fromUtf8(text);
    return list;
}

} // namespace

/// The window's list of runs as the queue's list.
class TstRunQueue : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void order_isTheQueuesAndOutlivesTheWindow();
    void everyPressOfTheArrows_countsAndTheSelectionStays();
    void run_isMovedWithTheMouse();
    void selectedRuns_areTakenOut();
    void heldQueue_saysSo();
    void queueNobodyServes_isSaidSo();
    void queueHeldNoLonger_isNotSaidToBe();
    void damagedQueue_isAnErrorInWords();
    void failedRun_isShownAndTheQueueGoesOn();
};

void TstRunQueue::order_isTheQueuesAndOutlivesTheWindow()
{
    QueueDesk desk;
    desk.open();
    QTRY_COMPARE(desk.listed(), names({ "first", "第二个", "third", "done" }));
    desk.pick(QStringLiteral("third"));
    QVERIFY(!desk.action("run.stop")->isEnabled()); // nobody is there to be stopped
    QTest::keyClick(desk.view(), Qt::Key_Up, Qt::AltModifier);
    QTRY_COMPARE(desk.listed(), names({ "first", "third", "第二个", "done" }));
    desk.reopen();
    QTRY_COMPARE(desk.listed(), names({ "first", "third", "第二个", "done" }));
    QVERIFY(desk.indexOf(QStringLiteral("third")).data(RunListModel::PlaceRole).toInt() == 2);
}

void TstRunQueue::everyPressOfTheArrows_countsAndTheSelectionStays()
{
    QueueDesk desk;
    desk.open();
    QTRY_COMPARE(desk.listed().size(), 4);
    desk.pick(QStringLiteral("first"));
    for (int press = 0; press < 5; ++press) // more than there are places
        QTest::keyClick(desk.view(), Qt::Key_Down, Qt::AltModifier);
    QTRY_COMPARE(desk.waiting(), names({ "第二个", "third", "first" }));
    QTRY_COMPARE(desk.listed(), names({ "第二个", "third", "first", "done" }));
    QTest::keyClick(desk.view(), Qt::Key_Up, Qt::AltModifier);
    QTRY_COMPARE(desk.waiting(), names({ "第二个", "first", "third" }));
    QTRY_COMPARE(desk.view()->currentIndex().row(), 1);
    QCOMPARE(desk.view()->currentIndex(), desk.indexOf(QStringLiteral("first")));
    QCOMPARE(QFileInfo(desk.window->selectedRun()).fileName(), QStringLiteral("first"));
}

void TstRunQueue::run_isMovedWithTheMouse()
{
    QueueDesk desk;
    desk.open();
    QTRY_COMPARE(desk.listed().size(), 4);
    desk.drag(QStringLiteral("third"), QStringLiteral("first"));
    QTRY_COMPARE(desk.listed(), names({ "third", "first", "第二个", "done" }));
    desk.drag(QStringLiteral("third"), QStringLiteral("done"));
    QTRY_COMPARE(desk.listed(), names({ "first", "第二个", "third", "done" }));
    QCOMPARE(desk.waiting(), names({ "first", "第二个", "third" }));
}

void TstRunQueue::selectedRuns_areTakenOut()
{
    QueueDesk desk;
    desk.open();
    QTRY_COMPARE(desk.listed().size(), 4);
    desk.pick(QStringLiteral("first"));
    QTest::keyClick(desk.view(), Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(desk.view(), Qt::Key_Delete);
    QTRY_COMPARE(desk.waiting(), names({ "third" }));
    QTRY_COMPARE(desk.listed().first(), QStringLiteral("third"));
    QCOMPARE(desk.listed().size(), 4); // their folders stay
    QCOMPARE(desk.indexOf(QStringLiteral("first")).data(RunListModel::PlaceRole).toInt(), 0);
    QTRY_VERIFY(desk.action("run.enqueue")->isEnabled());
    QVERIFY(!desk.action("run.dequeue")->isEnabled());
}

void TstRunQueue::heldQueue_saysSo()
{
    QueueDesk desk;
    desk.open();
    QTRY_VERIFY(desk.bar()->isVisible());
    QVERIFY(desk.action("run.queueHeld")->isChecked());
    desk.setQueue({});
    QTRY_VERIFY(!desk.bar()->isVisible());
    QVERIFY(!desk.action("run.queueHeld")->isChecked());
}

void TstRunQueue::queueNobodyServes_isSaidSo()
{
    QueueDesk desk;
    run::Queue queue = *run::readQueue(desk.root.toStdString());
    queue.isStopped = false;
    desk.setQueue(queue);
    desk.open();
    QTRY_VERIFY_WITH_TIMEOUT(desk.bar()->isVisible(), 20000);
    const auto* text = desk.bar()->findChild<QLabel*>();
    QVERIFY2(text->text().contains(QStringLiteral("No process")), qPrintable(text->text()));
}

/// A process that would serve it takes a moment to start.
void TstRunQueue::queueHeldNoLonger_isNotSaidToBe()
{
    QueueBar bar;
    const auto* text = bar.findChild<QLabel*>();
    for (const QueueHindrance& before :
        { QueueHindrance { .isHeld = true }, QueueHindrance { .error = QStringLiteral("why") } }) {
        bar.setHindrance(before);
        QVERIFY(!bar.isHidden());
        bar.setHindrance({ .isUnserved = true });
        QVERIFY2(bar.isHidden(), qPrintable(text->text()));
        QTRY_VERIFY_WITH_TIMEOUT(!bar.isHidden(), 20000);
        bar.setHindrance({ .isUnserved = true });
        QVERIFY2(text->text().contains(QStringLiteral("No process")), qPrintable(text->text()));
    }
}

void TstRunQueue::damagedQueue_isAnErrorInWords()
{
    QueueDesk desk;
    writeFile(desk.root + QStringLiteral("/queue.json"), "{");
    desk.open();
    QTRY_VERIFY(desk.bar()->isVisible());
    QVERIFY(desk.bar()->findChild<QLabel*>()->text().contains(QStringLiteral("queue.json")));
    QTRY_COMPARE(desk.listed().size(), 4);
    desk.pick(QStringLiteral("third"));
    QVERIFY(!desk.action("run.queueUp")->isEnabled());
}

/// By a process of its own, which goes on while there is no window.
void TstRunQueue::failedRun_isShownAndTheQueueGoesOn()
{
    qputenv("EARWRIGHT_BINARY", QCoreApplication::applicationFilePath().toLocal8Bit());
    QueueDesk desk;
    desk.open();
    QTRY_VERIFY(desk.bar()->isVisible());
    QTest::mouseClick(
        desk.bar()->findChild<QPushButton*>(QStringLiteral("queueGoOn")), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!run::readQueue(desk.root.toStdString())->isStopped, 30000);
    desk.window.reset();
    QTRY_COMPARE_WITH_TIMEOUT(desk.waiting(), QStringList(), 60000);
    desk.open();
    QTRY_COMPARE_WITH_TIMEOUT(desk.stateNamed("first"), run::State::Failed, 30000);
    QTRY_COMPARE_WITH_TIMEOUT(desk.stateNamed("第二个"), run::State::Done, 30000);
    QTRY_COMPARE_WITH_TIMEOUT(desk.stateNamed("third"), run::State::Done, 30000);
    const QModelIndex failed = desk.indexOf(QStringLiteral("first"));
    QCOMPARE(failed.data(RunListModel::DetailRole).toString(),
        QStringLiteral("failed · earwright: no such microphone · fp32 · cpu"));
    QVERIFY(!desk.bar()->isVisible());
}

/// `earwright resume`: the first run ends before it logged anything, the others do what they
/// should.
int runAlone(const run::RunFolder& folder)
{
    if (folder.path.filename() == "first") {
        std::cerr << "earwright: no such microphone" << std::endl;
        return 3;
    }
    const auto events = run::EventWriter::open(folder.events(0), 0);
    if (!events)
        return 3;
    (*events)->write({ 0, run::RunStarted { .devices = { "cpu" } } });
    (*events)->write({ 0, run::Finished { "done", "", -1 } });
    return 0;
}

/// This program as `earwright queue start|serve --runs-dir ROOT`, which only builds with LibTorch
/// have.
int runQueueCommand(const std::string& action, const std::filesystem::path& root)
{
    const std::filesystem::path self = std::filesystem::canonical("/proc/self/exe");
    if (action == "serve")
        return engine::serveQueue(root, self) ? 0 : 3;
    const Status edited = run::editQueue(root, [](run::Queue& queue) {
        queue.isStopped = false;
        return Status(Done {});
    });
    return edited && engine::startQueueServer(root, self) ? 0 : 3;
}

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 2 && words[0] == "resume")
        return runAlone({ words[1] });
    if (words.size() == 4 && words[0] == "queue")
        return runQueueCommand(words[1], words[3]);
    if (!words.empty() && words[0] == "devices")
        return 3;
    QApplication application(argc, argv);
    TstRunQueue test;
    return QTest::qExec(&test, argc - 1, argv + 1); // argv[1]: the test's name
}

#include "tst_run_queue.moc"
