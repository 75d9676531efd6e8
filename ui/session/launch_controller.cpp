#include "ui/session/launch_controller.h"

#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/launch/launch_panel.h"
#include "ui/launch/launcher.h"
#include "ui/launch/resume_dialog.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/run_lister.h"
#include "ui/session/comparison_controller.h"
#include "ui/session/devices.h"
#include "ui/session/run_selection.h"
#include "ui/session/runs_controller.h"
#include "ui/session/session.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_parts.h"
#include "ui/widgets/counted.h"
#include "ui/widgets/info_bar.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QStatusBar>

namespace earwright::ui {

LaunchController::LaunchController(const WindowParts& parts, RunSelection& selection,
    RunsController& runs, ComparisonController& comparison)
    : m_parts(parts)
    , m_selection(selection)
    , m_runs(runs)
    , m_comparison(comparison)
{
    // The processor is known before any answer.
    parts.launch->setMachine(parts.devices->machine(), {});
    connect(
        parts.launch, &LaunchPanel::requestChanged, this, &LaunchController::refreshCheckContext);
    connect(parts.devices, &Devices::machineChanged, this, &LaunchController::onMachineChanged);
    connect(parts.devices, &Devices::loadChanged, this,
        [this] { m_parts.launch->setCpuLoad(m_parts.devices->cpuLoad()); });
    connect(parts.monitor, &MonitorPage::resumeRequested, parts.actions->find("run.resume"),
        &QAction::trigger);
    connect(parts.recipes, &RecipeTabs::currentChanged, this, &LaunchController::dropRefusal);
    connect(parts.recipes, &RecipeTabs::checked, this, &LaunchController::dropRefusal);
    connect(parts.launcher, &Launcher::started, this, &LaunchController::onStarted);
    connect(parts.launcher, &Launcher::left, this, &LaunchController::onLeft);
    connect(parts.launcher, &Launcher::failed, this,
        [this](const QString& message) { complain(m_parts, message); });
}

void LaunchController::onMachineChanged()
{
    m_parts.launch->setMachine(m_parts.devices->machine(), m_parts.devices->error());
    refreshCheckContext();
}

void LaunchController::refreshCheckContext()
{
    const LaunchRequest request = m_parts.launch->request();
    m_parts.recipes->setCheckContext({ .devices = request.devices,
        .precision = request.precision,
        .evalPrecision = request.evalPrecision,
        .overrides = request.overrides,
        .machine = m_parts.devices->machine() });
}

bool LaunchController::mayStart()
{
    RecipePage* page = m_parts.recipes->current();
    if (!page)
        return false;
    m_parts.launch->takeOpenEdit();
    const int errors = page->problems()->errorCount();
    if (errors == 0) {
        m_parts.bar->hide(); // what it says is of another try
        return true;
    }
    m_parts.pages->showPage(RecipePageIndex);
    page->goToNextProblem(1, recipe::Severity::Error);
    m_refusal = counted(errors,
        tr("The recipe has %1 error: fix what the problems list names, then start."),
        tr("The recipe has %1 errors: fix what the problems list names, then start."));
    m_parts.bar->showMessage(Tone::Bad, m_refusal);
    return false;
}

void LaunchController::dropRefusal()
{
    const RecipePage* page = m_parts.recipes->current();
    const bool hasNoErrors
        = page && page->problems()->isChecked() && page->problems()->errorCount() == 0;
    if (hasNoErrors && m_parts.bar->text() == m_refusal)
        m_parts.bar->hide();
}

void LaunchController::start()
{
    if (!mayStart())
        return;
    const LaunchRequest request = m_parts.launch->request();
    m_parts.recipes->current()->saveThen(
        [this, request] { m_parts.launcher->train(request, m_runs.root()); });
}

void LaunchController::startInAllPrecisions()
{
    const QStringList precisions = m_parts.launch->comparedPrecisions();
    if (!mayStart() || precisions.isEmpty())
        return;
    const LaunchRequest request = m_parts.launch->request();
    m_parts.recipes->current()->saveThen([this, request, precisions] {
        m_comparison.noteRuns(); // now: its runs may be listed before it is known to have started
        m_parts.launcher->compare(request, precisions, m_runs.root());
    });
}

void LaunchController::enqueue()
{
    if (!mayStart())
        return;
    const QStringList arguments = queueArguments(m_parts.launch->request(), m_runs.root());
    m_parts.recipes->current()->saveThen([this, arguments] {
        m_parts.window.statusBar()->showMessage(tr("Putting the recipe into the queue…"));
        m_parts.launcher->changeQueue(arguments);
    });
}

void LaunchController::resume()
{
    m_parts.actions->setEnabled({ "run.resume" }, false); // until the list says what became of it
    m_parts.launcher->resume(m_selection.current());
}

void LaunchController::askResume()
{
    const QString run = m_selection.current();
    const SnapshotPtr snapshot = m_parts.session->snapshot(run);
    const int64_t epochs = snapshot ? snapshot->started.numberOfEpochs : 0;
    auto* dialog = new ResumeDialog(epochs, snapshot ? snapshot->epoch : 0, &m_parts.window);
    dialog->setWindowTitle(tr("Resume %1").arg(QFileInfo(run).fileName()));
    connect(dialog, &ResumeDialog::chosen, this, [this, run](const QStringList& chosen) {
        // Until the list says what became of it.
        m_parts.actions->setEnabled({ "run.resume", "run.resumeWith" }, false);
        m_parts.launcher->resume(run, chosen);
    });
    dialog->open();
}

void LaunchController::onStarted(const Started& started)
{
    m_parts.lister->listNow();
    if (started.runPath.isEmpty())
        return m_comparison.await(started);
    m_selection.select(started.runPath);
    m_parts.pages->showPage(MonitorPageIndex);
}

void LaunchController::onLeft(const Started& started, const QString& output, bool becameRun)
{
    m_parts.lister->listNow(); // which finds what a comparison made last
    m_comparison.forget(started);
    const bool comparisonFailed = started.runPath.isEmpty() && m_selection.compared().isEmpty();
    if (!becameRun || comparisonFailed)
        m_parts.bar->showMessage(Tone::Bad,
            tr("The run did not start:\n%1")
                .arg(output.isEmpty() ? tr("it said nothing") : output));
}

} // namespace earwright::ui
