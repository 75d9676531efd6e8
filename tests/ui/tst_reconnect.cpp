#include "core/run/queue.h"
#include "tests/ui/demo_recipe.h"
#include "tests/ui/desk.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/widgets/plot_board.h"

#include <QApplication>
#include <QDir>

#include <csignal>

using namespace earwright;
using namespace earwright::ui;

namespace {

const char* const kRecipe
    = "EARWRIGHT_TEST_WINDOW"; ///< in the environment of the window to be killed

/// A window that starts a training as soon as its recipe is checked, and waits to be killed.
int runWindow(const QString& recipe)
{
    Desk desk;
    SessionState state;
    state.runsRoot = QFileInfo(recipe).absolutePath() + QStringLiteral("/runs");
    desk.window = std::make_unique<MainWindow>(desk.theme, state);
    desk.window->show();
    desk.window->openRecipe(recipe);
    QObject::connect(
        desk.window->recipes()->current(), &RecipePage::checked, desk.window.get(),
        [&] { desk.action("run.start")->trigger(); }, Qt::SingleShotConnection);
    return QApplication::exec();
}

/// Its name, once it has logged so many losses.
QString runWithLosses(const QString& root, size_t count)
{
    const QStringList names = QDir(root).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    const QString path = names.isEmpty() ? QString() : root + QLatin1Char('/') + names.first();
    return !path.isEmpty() && loggedPoints(path, "train/loss").size() >= count ? path : QString();
}

std::vector<std::pair<int64_t, double>> shownBy(const Desk& desk)
{
    std::vector<std::pair<int64_t, double>> points;
    const std::vector<PlotCurve> curves = desk.lossPlot()->curves();
    if (!curves.empty()) {
        for (const run::Point& point : curves.front().series->points())
            points.emplace_back(point.step, point.value);
    }
    return points;
}

} // namespace

class TstReconnect : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void killedWindow_isOpenedAgainStopsAndResumes();
    void recipe_isQueuedAndStartedByAProcessOfItsOwn();
};

void TstReconnect::killedWindow_isOpenedAgainStopsAndResumes()
{
    if (const QString missing = missingForTraining(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    const QTemporaryDir folder;
    const QString data = folder.filePath(QStringLiteral("data"));
    const QString problem = preparePrompts(data);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    const QString root = folder.filePath(QStringLiteral("runs"));
    QProcess window;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1String(kRecipe), writeDemoRecipe(folder.path(), data));
    window.setProcessEnvironment(environment);
    window.start(QCoreApplication::applicationFilePath(), QStringList());
    QTRY_VERIFY_WITH_TIMEOUT(!runWithLosses(root, 3).isEmpty(), kTrainingTimeMs);
    const QString run = runWithLosses(root, 3);
    ::kill(static_cast<pid_t>(window.processId()), SIGKILL);
    QVERIFY(window.waitForFinished());

    const size_t before = loggedPoints(run, "train/loss").size();
    Desk first(root);
    Desk second(root);
    for (Desk* desk : { &first, &second }) {
        desk->open();
        desk->window->selectRun(run);
        QTRY_VERIFY_WITH_TIMEOUT(desk->numLossPoints() > before, kTrainingTimeMs);
        QTRY_VERIFY_WITH_TIMEOUT(desk->stateOf(run) == run::State::Running, kTrainingTimeMs);
    }
    QVERIFY(!first.action("run.resume")->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(first.action("run.stop")->isEnabled(), kTrainingTimeMs);
    first.action("run.stop")->trigger();
    for (Desk* desk : { &first, &second })
        QTRY_COMPARE_WITH_TIMEOUT(desk->stateOf(run), run::State::Stopped, kTrainingTimeMs);
    const auto logged = loggedPoints(run, "train/loss");
    for (Desk* desk : { &first, &second })
        QTRY_COMPARE_WITH_TIMEOUT(desk->numLossPoints(), logged.size(), kTrainingTimeMs);
    QCOMPARE(shownBy(first), shownBy(second));

    QTRY_VERIFY_WITH_TIMEOUT(second.action("run.resume")->isEnabled(), kTrainingTimeMs);
    second.action("run.resume")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(first.numLossPoints() > logged.size(), kTrainingTimeMs);
    QTRY_VERIFY_WITH_TIMEOUT(second.stateOf(run) == run::State::Running, kTrainingTimeMs);
    QTRY_VERIFY_WITH_TIMEOUT(second.action("run.stop")->isEnabled(), kTrainingTimeMs);
    second.action("run.stop")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(first.stateOf(run), run::State::Stopped, kTrainingTimeMs);
}

void TstReconnect::recipe_isQueuedAndStartedByAProcessOfItsOwn()
{
    if (const QString missing = missingForTraining(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    Desk desk;
    const std::filesystem::path root = desk.runsRoot().toStdString();
    QVERIFY(bool(run::editQueue(root, [](run::Queue& queue) {
        queue.isStopped = true;
        return Status(Done {});
    })));
    QVERIFY(desk.openDemo());
    desk.action("run.queue")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(desk.window->runs().rowCount(), 1, kTrainingTimeMs);
    const QString run = runPathOf(desk.window->runs().runs().front());
    QTRY_COMPARE_WITH_TIMEOUT(desk.stateOf(run), run::State::Queued, kTrainingTimeMs);
    const auto waiting = [&] { return run::readQueue(root)->runs.size(); };
    QTRY_COMPARE_WITH_TIMEOUT(waiting(), size_t { 1 }, kTrainingTimeMs);
    desk.window->selectRun(run);
    QTRY_VERIFY_WITH_TIMEOUT(desk.action("run.dequeue")->isEnabled(), kTrainingTimeMs);
    desk.action("run.dequeue")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(waiting(), size_t { 0 }, kTrainingTimeMs);
    QVERIFY(bool(run::editQueue(root, [](run::Queue& queue) {
        queue.isStopped = false;
        return Status(Done {});
    })));
    // The list is a moment behind.
    QTRY_VERIFY_WITH_TIMEOUT(desk.action("run.enqueue")->isEnabled(), kTrainingTimeMs);
    desk.action("run.enqueue")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(desk.stateOf(run), run::State::Running, kTrainingTimeMs);
    desk.action("run.stop")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(desk.stateOf(run), run::State::Stopped, kTrainingTimeMs);
}

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    if (const QString recipe = qEnvironmentVariable(kRecipe); !recipe.isEmpty())
        return runWindow(recipe);
    TstReconnect test;
    return QTest::qExec(&test, argc - 1, argv + 1); // argv[1]: the test's name
}

#include "tst_reconnect.moc"
