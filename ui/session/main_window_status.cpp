#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"
#include "ui/runs/sidebar.h"
#include "ui/session/devices.h"
#include "ui/session/main_window.h"
#include "ui/widgets/action_registry.h"
#include "ui/widgets/counted.h"
#include "ui/widgets/info_bar.h"

#include <array>
#include <QLabel>

namespace earwright::ui {
namespace {

QString gpuText(const check::Gpu& gpu)
{
    const QString name = QString::fromStdString(gpu.name);
    return gpu.utilization < 0
        ? name
        : QStringLiteral("%1 %2 %").arg(name).arg(gpu.utilization, 0, 'f', 0);
}

/// "2 errors, 1 note".
QString problemsText(const DiagnosticsModel& problems)
{
    std::array<int, 3> counts {};
    for (int row = 0; row < problems.rowCount(); ++row)
        ++counts.at(static_cast<size_t>(problems.at(row).severity));
    const QStringList texts { counted(counts[0], MainWindow::tr("%1 error"),
                                  MainWindow::tr("%1 errors")),
        counted(counts[1], MainWindow::tr("%1 warning"), MainWindow::tr("%1 warnings")),
        counted(counts[2], MainWindow::tr("%1 note"), MainWindow::tr("%1 notes")) };
    QStringList shown;
    for (size_t i = 0; i < counts.size(); ++i)
        if (counts.at(i) > 0)
            shown << texts[static_cast<qsizetype>(i)];
    return shown.isEmpty() ? MainWindow::tr("no problems") : shown.join(QStringLiteral(", "));
}

} // namespace

void MainWindow::refreshStatus()
{
    const RecipePage* page = m_recipes->current();
    const bool isChecked = page && page->problems()->isChecked();
    m_statusProblems->setText(isChecked ? problemsText(*page->problems()) : QString());
    if (isChecked && page->problems()->errorCount() == 0 && m_bar->text() == m_refusal)
        m_bar->hide();
    const int paused = m_runs->numPaused();
    QString runs = counted(
        m_runs->livePaths().size() - paused, tr("%1 run training"), tr("%1 runs training"));
    if (paused > 0)
        runs += tr(", %1 paused").arg(paused);
    if (m_runs->numWaiting() > 0)
        runs += tr(", %1 waiting").arg(m_runs->numWaiting());
    m_statusRuns->setText(runs);
    QStringList devices { tr("CPU %1 cores").arg(m_devices->machine().cpuCores) };
    if (m_devices->cpuLoad() >= 0)
        devices[0] += QStringLiteral(" %1 %").arg(m_devices->cpuLoad() * 100, 0, 'f', 0);
    for (const check::Gpu& gpu : m_devices->machine().gpus)
        devices << gpuText(gpu);
    m_statusDevices->setText(devices.join(QStringLiteral("  ·  ")));
}

void MainWindow::refreshActions()
{
    const bool hasRecipe = m_recipes->current() != nullptr;
    for (const QString& id : m_recipeActions)
        m_actions->find(id)->setEnabled(hasRecipe);
    refreshRunActions();
    for (const char* id : { "file.export", "view.resetZoom" })
        action(id)->setEnabled(shownPlots() != nullptr);
    for (const char* id : { "utterance.play", "utterance.next", "utterance.previous",
             "utterance.filter", "utterance.export" })
        action(id)->setEnabled(m_pages->currentIndex() == UtterancesPageIndex);
    action("run.openFolder")->setEnabled(!m_selectedRun.isEmpty());
    action("run.compareSelected")->setEnabled(!m_sidebar->selectedRuns().isEmpty());
}

void MainWindow::refreshRunActions()
{
    nameShownRun();
    const QModelIndex selected = m_runs->indexOf(m_selectedRun);
    const auto state = selected.isValid()
        ? static_cast<run::State>(selected.data(RunListModel::StateRole).toInt())
        : run::State::Unknown;
    const int place = selected.data(RunListModel::PlaceRole).toInt();
    const bool isOwn = !isCapsule(m_selectedRun);
    const bool mayGoOn
        = isOwn && (state == run::State::Queued || (isOver(state) && state != run::State::Done));
    for (const char* id : { "run.stop", "run.kill", "run.checkpoint", "run.setLearningRate" })
        action(id)->setEnabled(isLive(state) && isOwn);
    // No event tells of a pause while a run prepares: there it may be the one or the other.
    const bool isStarting = state == run::State::Starting;
    action("run.pause")->setEnabled((isStarting || state == run::State::Running) && isOwn);
    action("run.continue")->setEnabled((isStarting || state == run::State::Paused) && isOwn);
    action("run.resume")->setEnabled(mayGoOn);
    action("run.resumeWith")->setEnabled(mayGoOn || (isOwn && state == run::State::Done));
    action("file.closeCapsule")->setEnabled(!isOwn);
    action("run.enqueue")->setEnabled(mayGoOn && place == 0);
    action("run.dequeue")->setEnabled(place > 0);
    // At the ends too: a press too many would move the selection instead.
    action("run.queueUp")->setEnabled(place > 0);
    action("run.queueDown")->setEnabled(place > 0);
}

} // namespace earwright::ui
