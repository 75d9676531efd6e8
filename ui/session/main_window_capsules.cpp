#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/runs/capsules.h"
#include "ui/runs/run_list_model.h"
#include "ui/session/main_window.h"
#include "ui/widgets/info_bar.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QStatusBar>

namespace earwright::ui {

void MainWindow::connectCapsules()
{
    connect(m_capsules, &Capsules::opened, this, &MainWindow::onCapsuleOpened);
    connect(m_capsules, &Capsules::closed, this, &MainWindow::onCapsuleClosed);
    connect(m_capsules, &Capsules::failed, this, [this](const QString& message) {
        statusBar()->clearMessage();
        m_bar->showMessage(Tone::Bad, message);
    });
    connect(m_capsules, &Capsules::otherFileGiven, this, [this](const QString& file) {
        statusBar()->clearMessage();
        openRecipe(file);
    });
    connect(m_capsules, &Capsules::folderGiven, this, &MainWindow::onFolderGiven);
}

void MainWindow::onFolderGiven(const QString& runsRoot, const QString& runPath)
{
    statusBar()->clearMessage();
    setRunsRoot(runsRoot);
    if (runPath.isEmpty())
        return;
    selectRun(runPath);
    showPage(MonitorPageIndex);
}

void MainWindow::chooseFiles()
{
    const QString near
        = m_recipes->current() ? QFileInfo(m_recipes->current()->path()).path() : QString();
    const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Open recipes and capsules"),
        near, tr("Recipes and capsules (*.yaml *.yml *.earwright *.kymo *.zip);;All files (*)"));
    for (const QString& path : paths)
        openFile(path);
}

void MainWindow::openFile(const QString& path)
{
    if (path.endsWith(QStringLiteral(".yaml")) || path.endsWith(QStringLiteral(".yml"))) {
        openRecipe(path);
        return;
    }
    statusBar()->showMessage(tr("Opening %1…").arg(QFileInfo(path).fileName()));
    m_capsules->open(path);
}

void MainWindow::onCapsuleOpened(const QString& runPath)
{
    statusBar()->clearMessage();
    showRuns(ownRuns());
    selectRun(runPath);
    showPage(MonitorPageIndex);
}

void MainWindow::closeCapsule()
{
    m_capsules->close(m_selectedRun);
}

void MainWindow::onCapsuleClosed(const QString& runPath)
{
    showRuns(ownRuns()); // the list selects another one, where there is one
    if (m_selectedRun == runPath)
        selectRun({});
    m_compared.removeAll(runPath);
    refreshWatched();
    refreshCompare();
    refreshActions();
}

/// Those of the runs folder, with the capsules after them.
void MainWindow::showRuns(std::vector<run::RunSummary> own)
{
    for (const run::RunSummary& run : m_capsules->runs())
        own.push_back(run);
    m_runs->setRuns(std::move(own));
}

std::vector<run::RunSummary> MainWindow::ownRuns() const
{
    std::vector<run::RunSummary> runs = m_runs->runs();
    std::erase_if(runs, [](const run::RunSummary& run) { return !run.capsule.empty(); });
    return runs;
}

bool MainWindow::isCapsule(const QString& runPath) const
{
    return !m_runs->indexOf(runPath).data(RunListModel::CapsuleRole).toString().isEmpty();
}

QStringList MainWindow::withoutCapsules(QStringList runPaths) const
{
    runPaths.removeIf([this](const QString& path) { return isCapsule(path); });
    return runPaths;
}

} // namespace earwright::ui
