#include "ui/session/capsules_controller.h"

#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/runs/capsules.h"
#include "ui/session/recipes_controller.h"
#include "ui/session/run_selection.h"
#include "ui/session/runs_controller.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_pages.h"
#include "ui/session/window_parts.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QStatusBar>

namespace earwright::ui {

CapsulesController::CapsulesController(const WindowParts& parts, RunSelection& selection,
    RunsController& runs, RecipesController& recipes)
    : m_parts(parts)
    , m_selection(selection)
    , m_runs(runs)
    , m_recipes(recipes)
{
    connect(parts.capsules, &Capsules::opened, this, &CapsulesController::onOpened);
    connect(parts.capsules, &Capsules::closed, this, &CapsulesController::onClosed);
    connect(parts.capsules, &Capsules::failed, this,
        [this](const QString& message) { complain(m_parts, message); });
    connect(parts.capsules, &Capsules::otherFileGiven, this, [this](const QString& file) {
        m_parts.window.statusBar()->clearMessage();
        m_recipes.open(file);
    });
    connect(parts.capsules, &Capsules::folderGiven, this, &CapsulesController::onFolderGiven);
}

void CapsulesController::open(const QString& path)
{
    if (path.endsWith(QStringLiteral(".yaml")) || path.endsWith(QStringLiteral(".yml"))) {
        m_recipes.open(path);
        return;
    }
    m_parts.window.statusBar()->showMessage(tr("Opening %1…").arg(QFileInfo(path).fileName()));
    m_parts.capsules->open(path);
}

void CapsulesController::chooseFiles()
{
    const RecipePage* current = m_parts.recipes->current();
    const QString near = current ? QFileInfo(current->path()).path() : QString();
    const QStringList paths
        = QFileDialog::getOpenFileNames(&m_parts.window, tr("Open recipes and capsules"), near,
            tr("Recipes and capsules (*.yaml *.yml *.earwright *.kymo *.zip);;All files (*)"));
    for (const QString& path : paths)
        open(path);
}

void CapsulesController::close()
{
    m_parts.capsules->close(m_selection.current());
}

void CapsulesController::onOpened(const QString& runPath)
{
    m_parts.window.statusBar()->clearMessage();
    m_runs.relist();
    m_selection.select(runPath);
    m_parts.pages->showPage(MonitorPageIndex);
}

void CapsulesController::onClosed(const QString& runPath)
{
    m_runs.relist(); // the list selects another one, where there is one
    if (m_selection.current() == runPath)
        m_selection.select({});
    QStringList compared = m_selection.compared();
    compared.removeAll(runPath);
    m_selection.setCompared(compared);
    m_parts.actions->refresh();
}

void CapsulesController::onFolderGiven(const QString& runsRoot, const QString& runPath)
{
    m_parts.window.statusBar()->clearMessage();
    m_runs.setRoot(runsRoot);
    if (runPath.isEmpty())
        return;
    m_selection.select(runPath);
    m_parts.pages->showPage(MonitorPageIndex);
}

} // namespace earwright::ui
