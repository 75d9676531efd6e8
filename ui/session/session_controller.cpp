#include "ui/session/session_controller.h"

#include "core/run/run_folder.h"
#include "ui/compare/compare_page.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/launch/launch_panel.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/runs_page.h"
#include "ui/session/launch_controller.h"
#include "ui/session/layout_controller.h"
#include "ui/session/notifications_controller.h"
#include "ui/session/recipes_controller.h"
#include "ui/session/run_selection.h"
#include "ui/session/runs_controller.h"
#include "ui/session/session.h"
#include "ui/session/session_keeper.h"
#include "ui/session/start_mark.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_pages.h"
#include "ui/session/window_parts.h"
#include "ui/widgets/info_bar.h"
#include "ui/widgets/path_text.h"
#include "ui/widgets/plot_board.h"
#include "ui/widgets/plot_colors.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QDir>
#include <QMainWindow>
#include <QScreen>
#include <QThreadPool>
#include <utility>

namespace earwright::ui {
namespace {

// Boards of plots, by their pages.
const QString kMonitor = QStringLiteral("monitor");
const QString kCompare = QStringLiteral("compare");

} // namespace

SessionController::SessionController(const WindowParts& parts, const Remembered& remembered)
    : m_parts(parts)
    , m_of(remembered)
    , m_keeper(new SessionKeeper([this] { return state(); }, this))
    , m_startMark(new StartMark([this] { return isRestored(); }, this))
    , m_defaultRoot(QDir::current().absoluteFilePath(pathText(run::defaultRunsRoot())))
{
    connect(m_startMark, &StartMark::ranWell, this, [this] {
        if (std::exchange(m_isHeldRestored, false))
            QThreadPool::globalInstance()->start(dropHeldSession);
    });
}

void SessionController::restore(const SessionState& state)
{
    m_of.recipes.setRecent(state.recentRecipes);
    m_parts.launch->restoreState(state.launch);
    restorePlots(state.plots);
    restoreRunColors(state.runColors);
    m_parts.runsPage->setColumns(state.runColumns);
    m_parts.theme.setMode(static_cast<ThemeMode>(state.theme));
    m_parts.actions->find(themeActionOf(m_parts.theme.mode()))->setChecked(true);
    m_of.notifications.setOn(state.isNotifying);
    m_parts.recipes->setEditorFont(state.editorFont);
    m_of.runs.setRoot(state.runsRoot.isEmpty() ? m_defaultRoot : state.runsRoot);
    restoreRecipes(state);
    m_of.runs.restore(state.selectedRun, state.comparedRuns);
    m_parts.pages->showPage(static_cast<WindowPage>(state.page));
    restoreLook(state);
    m_of.launch.refreshCheckContext();
    m_of.recipes.onCurrentChanged();
    m_keeper->start();
    m_of.recipes.askForLeft();
}

void SessionController::restorePlots(const QVariantMap& plots)
{
    m_parts.monitor->board()->restoreState(plots.value(kMonitor).toMap());
    m_parts.compare->board()->restoreState(plots.value(kCompare).toMap());
}

void SessionController::restoreRecipes(const SessionState& state)
{
    m_parts.recipes->setFormShown(state.isFormShown);
    m_parts.actions->find("view.form")->setChecked(state.isFormShown);
    for (const QString& path : state.openRecipes)
        m_of.recipes.open(path);
    if (!state.currentRecipe.isEmpty())
        m_of.recipes.open(state.currentRecipe);
    m_parts.recipes->restoreViews(state.recipeViews);
    m_of.recipes.refreshList();
}

void SessionController::restoreLook(const SessionState& state)
{
    QMainWindow& window = m_parts.window;
    window.resize(QSize(1360, 860).boundedTo(window.screen()->availableSize()));
    window.restoreGeometry(state.geometry);
    m_of.layout.restore(state.docks);
}

bool SessionController::isRestored() const
{
    const auto pages = m_parts.recipes->pages();
    const QStringList compared = m_of.selection.compared();
    const QString run = m_of.selection.current();
    const auto isChecked = [](const RecipePage* page) { return bool(page->latestCheck()); };
    const auto isRead
        = [this](const QString& path) { return bool(m_parts.session->snapshot(path)); };
    return m_parts.window.isVisible() && std::all_of(pages.begin(), pages.end(), isChecked)
        && (run.isEmpty() || isRead(run)) && std::all_of(compared.begin(), compared.end(), isRead);
}

void SessionController::begin(const SessionStart& start)
{
    m_held = start.held;
    m_parts.actions->find("file.restoreSession")->setEnabled(bool(m_held));
    if (start.isSafe)
        m_parts.heldBar->showMessage(Tone::Warning,
            tr("The window did not start well last time. Its recipes, runs and layout are not "
               "restored."),
            { { tr("Restore Them"), [this] { restoreHeld(); } } });
    m_startMark->watch();
}

/// It may end the window again: then it is still there next time.
void SessionController::restoreHeld()
{
    if (!m_held)
        return;
    m_parts.heldBar->hide();
    m_parts.actions->setEnabled({ "file.restoreSession" }, false);
    m_startMark->beginAgain([this, held = *std::exchange(m_held, std::nullopt)]() mutable {
        // What the user did in this window meanwhile stays.
        held.recentRecipes = joinedRecent(m_of.recipes.recent(), held.recentRecipes);
        held.theme = static_cast<int>(m_parts.theme.mode());
        held.editorFont = m_parts.recipes->editorFont();
        held.isNotifying = m_of.notifications.isOn();
        restore(held);
        m_isHeldRestored = true;
    });
}

SessionState SessionController::state() const
{
    const QString run = m_of.selection.current();
    const QString root = m_of.runs.root();
    const QStringList columns = m_parts.runsPage->columns();
    const RecipePage* recipe = m_parts.recipes->current();
    return { .geometry = m_parts.window.saveGeometry(),
        .docks = m_of.layout.state(),
        .openRecipes = m_parts.recipes->paths(),
        .currentRecipe = recipe ? recipe->path() : QString(),
        .recipeViews = m_parts.recipes->views(),
        .isFormShown = m_parts.recipes->isFormShown(),
        .recentRecipes = m_of.recipes.recent(),
        .runsRoot = root == m_defaultRoot ? QString() : root,
        .selectedRun = m_of.selection.isCapsule(run) ? QString() : run,
        .comparedRuns = m_of.selection.withoutCapsules(m_of.selection.compared()),
        .runColors = runColors(),
        .runColumns = columns == fixedColumns() ? QStringList() : columns,
        .page = m_parts.pages->currentIndex(),
        .theme = static_cast<int>(m_parts.theme.mode()),
        .editorFont = m_parts.recipes->editorFont(),
        .isNotifying = m_of.notifications.isOn(),
        .launch = m_parts.launch->state(),
        .plots = { { kMonitor, m_parts.monitor->board()->state() },
            { kCompare, m_parts.compare->board()->state() } } };
}

void SessionController::keepForNextTime()
{
    m_keeper->keepNow();
    m_parts.recipes->keepUnsaved();
    m_startMark->end();
}

void SessionController::end()
{
    m_keeper->keepNow();
    m_startMark->end();
}

} // namespace earwright::ui
