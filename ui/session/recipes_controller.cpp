#include "ui/session/recipes_controller.h"

#include "ui/editor/difference_dialog.h"
#include "ui/editor/new_recipe_dialog.h"
#include "ui/editor/outline_panel.h"
#include "ui/editor/problems_panel.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/editor/swap_file.h"
#include "ui/editor/usages_panel.h"
#include "ui/launch/launch_panel.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"
#include "ui/runs/sidebar.h"
#include "ui/session/session_state.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_docks.h"
#include "ui/session/window_pages.h"
#include "ui/session/window_parts.h"
#include "ui/widgets/info_bar.h"
#include "ui/widgets/when_done.h"

#include <algorithm>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QMainWindow>
#include <QtConcurrentRun>

namespace earwright::ui {

RecipesController::RecipesController(const WindowParts& parts)
    : m_parts(parts)
{
    connectTabs();
    connectPanels();
    connect(parts.sidebar, &Sidebar::recipeActivated, this, &RecipesController::open);
    connect(parts.monitor, &MonitorPage::recipeChangeWanted, this, &RecipesController::change);
}

void RecipesController::connectTabs()
{
    connect(
        m_parts.recipes, &RecipeTabs::currentChanged, this, &RecipesController::onCurrentChanged);
    connect(m_parts.recipes, &RecipeTabs::pathsChanged, this, &RecipesController::onPathsChanged);
    connect(m_parts.recipes, &RecipeTabs::openWanted, this, &RecipesController::openAt);
    connect(m_parts.recipes, &RecipeTabs::checked, this, [this] {
        m_parts.outline->setSymbols(m_parts.recipes->current()->latestCheck()->symbols);
    });
    connect(m_parts.recipes, &RecipeTabs::caretMoved, m_parts.outline, &OutlinePanel::followCaret);
    connect(m_parts.recipes, &RecipeTabs::usagesFound, this,
        [this](const QString& name, const std::vector<Usage>& usages) {
            bringForward(m_parts.usagesDock);
            m_parts.usages->showUsages(name, usages);
        });
    connect(m_parts.recipes, &RecipeTabs::usagesChanged, m_parts.usages, &UsagesPanel::refresh);
}

void RecipesController::connectPanels()
{
    connect(m_parts.problems, &ProblemsPanel::problemActivated, this, [this](int row) {
        m_parts.pages->showPage(RecipePageIndex);
        m_parts.recipes->current()->goToProblem(row);
    });
    connect(m_parts.outline, &OutlinePanel::activated, this, [this](recipe::Position place) {
        m_parts.pages->showPage(RecipePageIndex);
        m_parts.recipes->current()->editor()->goTo(place);
    });
    connect(m_parts.usages, &UsagesPanel::activated, this, [this](const recipe::Span& place) {
        openAt(QString::fromStdString(place.file), place.begin);
    });
}

void RecipesController::open(const QString& path)
{
    RecipePage* page = m_parts.recipes->open(path);
    noteRecent(page->path());
    m_parts.pages->showPage(RecipePageIndex);
    m_parts.sidebar->setCurrentRecipe(page->path());
    page->setFocus();
}

void RecipesController::openAt(const QString& path, recipe::Position place)
{
    open(path);
    m_parts.recipes->current()->restoreView({ place, std::max(0, place.line - 8) });
}

void RecipesController::create()
{
    const RecipePage* current = m_parts.recipes->current();
    const QString near = current ? QFileInfo(current->path()).path() : QDir::currentPath();
    auto* dialog = new NewRecipeDialog(near, &m_parts.window);
    connect(dialog, &NewRecipeDialog::created, this, &RecipesController::open);
    dialog->open();
}

void RecipesController::compare()
{
    std::vector<RecipeSource> compared = sources();
    // Unsaved changes are what one asks about first, else another recipe, else the latest run.
    const bool isModified = m_parts.recipes->current()->isModified();
    const int other = compared.size() > 2 ? 2 : 1;
    auto* dialog
        = new DifferenceDialog(std::move(compared), { isModified ? 1 : other, 0 }, &m_parts.window);
    connect(dialog, &DifferenceDialog::activated, this, [this](const recipe::Span& place) {
        openAt(QString::fromStdString(place.file), place.begin);
    });
    dialog->show();
}

void RecipesController::change(const QString& path, const QStringList& settings)
{
    open(path);
    m_parts.recipes->current()->changeSettings(settings);
}

std::vector<RecipeSource> RecipesController::sources() const
{
    QList<RecipePage*> pages = m_parts.recipes->pages();
    std::stable_partition(pages.begin(), pages.end(),
        [this](const RecipePage* page) { return page == m_parts.recipes->current(); });
    std::vector<RecipeSource> sources;
    for (const RecipePage* page : pages) {
        const QString name = QFileInfo(page->path()).fileName();
        sources.push_back({ .kind = RecipeSource::Text,
            .name = tr("%1 (as it stands)").arg(name),
            .path = page->path(),
            .text = page->editor()->text() });
        sources.push_back({ .kind = RecipeSource::File,
            .name = tr("%1 (as saved)").arg(name),
            .path = page->path() });
    }
    for (const run::RunSummary& run : m_parts.runs->runs())
        if (!isLive(run.state))
            sources.push_back({ .kind = RecipeSource::Run,
                .name = tr("Run %1").arg(QFileInfo(runPathOf(run)).fileName()),
                .path = runPathOf(run) });
    return sources;
}

void RecipesController::onCurrentChanged()
{
    RecipePage* page = m_parts.recipes->current();
    m_parts.problems->setModel(page ? page->problems() : nullptr);
    const bool isChecked = page && page->latestCheck();
    m_parts.outline->setSymbols(isChecked ? page->latestCheck()->symbols : nullptr);
    if (page)
        m_parts.outline->followCaret(page->editor()->caret());
    m_parts.launch->setRecipe(page ? page->path() : QString());
    m_parts.window.setWindowTitle(
        page ? tr("%1 — Earwright Studio").arg(page->title()) : tr("Earwright Studio"));
    if (page)
        m_parts.sidebar->setCurrentRecipe(page->path());
    m_parts.actions->refresh();
}

void RecipesController::onPathsChanged()
{
    if (m_parts.recipes->current())
        noteRecent(m_parts.recipes->current()->path()); // "save as" gives it another
    refreshList();
    if (!m_parts.leftBar->isHidden())
        offerLeft();
}

void RecipesController::refreshList()
{
    m_parts.sidebar->setRecipes(m_parts.recipes->paths(), m_recent);
}

void RecipesController::noteRecent(const QString& path)
{
    m_recent = joinedRecent({ path }, m_recent);
}

void RecipesController::askForLeft()
{
    whenDone(QtConcurrent::run([] { return leftTexts(); }), this,
        [this](const std::vector<LeftText>& texts) {
            for (const LeftText& text : texts)
                m_left << text.recipePath;
            m_left.removeDuplicates();
            offerLeft();
        });
}

/// Those that are not open here: no page would ever offer them.
void RecipesController::offerLeft()
{
    QStringList left = m_left;
    left.removeIf([this](const QString& path) { return m_parts.recipes->paths().contains(path); });
    if (left.isEmpty())
        return m_parts.leftBar->hide();
    QStringList names;
    for (const QString& path : left)
        names << QFileInfo(path).fileName();
    m_parts.leftBar->showMessage(Tone::Warning,
        tr("Earwright ended before changes to %1 were saved. They can be recovered.")
            .arg(names.join(QStringLiteral(", "))),
        { { left.size() == 1 ? tr("Open It") : tr("Open Them"), [this, left] {
               for (const QString& path : left)
                   open(path);
           } } });
}

} // namespace earwright::ui
