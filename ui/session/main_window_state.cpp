#include "ui/compare/compare_page.h"
#include "ui/editor/outline_panel.h"
#include "ui/editor/problems_panel.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/launch/launch_panel.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/log_panel.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_lister.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/sidebar.h"
#include "ui/session/devices.h"
#include "ui/session/main_window.h"
#include "ui/session/session.h"
#include "ui/session/session_keeper.h"
#include "ui/session/start_mark.h"
#include "ui/utterances/utterances_page.h"
#include "ui/widgets/action_registry.h"
#include "ui/widgets/info_bar.h"
#include "ui/widgets/plot_colors.h"

#include <algorithm>
#include <QDockWidget>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <QThreadPool>

namespace earwright::ui {
namespace {

constexpr int kStateVersion = 2; ///< of the docks: goes up with each new one

} // namespace

void MainWindow::restore(const SessionState& state)
{
    m_recent = state.recentRecipes;
    m_launch->restoreState(state.launch);
    restoreRunColors(state.runColors);
    m_theme.setMode(static_cast<ThemeMode>(state.theme));
    action(state.theme == 0    ? "view.theme.auto"
            : state.theme == 1 ? "view.theme.light"
                               : "view.theme.dark")
        ->setChecked(true);
    setRunsRoot(state.runsRoot.isEmpty() ? m_defaultRoot : state.runsRoot);
    m_recipes->setFormShown(state.isFormShown);
    action("view.form")->setChecked(state.isFormShown);
    for (const QString& path : state.openRecipes)
        openRecipe(path);
    if (!state.currentRecipe.isEmpty())
        openRecipe(state.currentRecipe);
    m_recipes->restoreViews(state.recipeViews);
    m_sidebar->setRecipes(m_recipes->paths(), m_recent);
    m_compared = state.comparedRuns;
    selectRun(state.selectedRun);
    m_restoredRun = state.selectedRun;
    refreshWatched();
    showPage(static_cast<Page>(state.page));
    resize(QSize(1360, 860).boundedTo(screen()->availableSize()));
    restoreGeometry(state.geometry);
    restoreState(state.docks, kStateVersion);
    refreshCheckContext();
    onRecipeChanged();
    refreshStatus();
    m_keeper->start();
    askForLeftRecipes();
}

bool MainWindow::isRestored() const
{
    const auto pages = m_recipes->pages();
    const auto isChecked = [](const RecipePage* page) { return bool(page->latestCheck()); };
    const auto isRead = [this](const QString& run) { return bool(m_session->snapshot(run)); };
    return isVisible() && std::all_of(pages.begin(), pages.end(), isChecked)
        && (m_selectedRun.isEmpty() || isRead(m_selectedRun))
        && std::all_of(m_compared.begin(), m_compared.end(), isRead);
}

void MainWindow::beginWith(const SessionStart& start)
{
    m_held = start.held;
    action("file.restoreSession")->setEnabled(bool(m_held));
    if (start.isSafe)
        m_heldBar->showMessage(Tone::Warning,
            tr("The window did not start well last time. Its recipes, runs and layout are not "
               "restored."),
            { { tr("Restore Them"), [this] { restoreHeld(); } } });
    connect(m_startMark, &StartMark::ranWell, this, [this] {
        if (std::exchange(m_isHeldRestored, false))
            QThreadPool::globalInstance()->start(dropHeldSession);
    });
    m_startMark->watch();
}

/// It may end the window again: then it is still there next time.
void MainWindow::restoreHeld()
{
    if (!m_held)
        return;
    m_heldBar->hide();
    action("file.restoreSession")->setEnabled(false);
    m_startMark->beginAgain([this, held = *std::exchange(m_held, std::nullopt)]() mutable {
        // What the user did in this window meanwhile stays.
        held.recentRecipes = joinedRecent(m_recent, held.recentRecipes);
        held.theme = static_cast<int>(m_theme.mode());
        restore(held);
        m_isHeldRestored = true;
    });
}

SessionState MainWindow::state() const
{
    return { .geometry = saveGeometry(),
        .docks = saveState(kStateVersion),
        .openRecipes = m_recipes->paths(),
        .currentRecipe = m_recipes->current() ? m_recipes->current()->path() : QString(),
        .recipeViews = m_recipes->views(),
        .isFormShown = m_recipes->isFormShown(),
        .recentRecipes = m_recent,
        .runsRoot = m_runsRoot == m_defaultRoot ? QString() : m_runsRoot,
        .selectedRun = isCapsule(m_selectedRun) ? QString() : m_selectedRun,
        .comparedRuns = withoutCapsules(m_compared),
        .runColors = runColors(),
        .page = m_pages->currentIndex(),
        .theme = static_cast<int>(m_theme.mode()),
        .launch = m_launch->state() };
}

void MainWindow::keepForNextTime()
{
    m_keeper->keepNow();
    m_recipes->keepUnsaved();
    m_startMark->end();
}

void MainWindow::showPage(Page page)
{
    if (page == UtterancesPageIndex)
        m_utterances->setRuns(utteranceRuns()); // before it is shown: it reads then
    m_pages->setCurrentIndex(page);
    // Of the docks tabbed below, the one that belongs to the page comes to the front.
    if (page != ComparePageIndex)
        (page == RecipePageIndex ? m_problemsDock : m_logDock)->raise();
    action(page == RecipePageIndex     ? "view.recipe"
            : page == MonitorPageIndex ? "view.monitor"
            : page == ComparePageIndex ? "view.compare"
                                       : "view.utterances")
        ->setChecked(true);
    refreshActions();
}

void MainWindow::openPage(Page page)
{
    const QStringList selected = m_sidebar->selectedRuns();
    const bool isStarting = !m_awaited.isEmpty();
    if (page == ComparePageIndex && m_compared.isEmpty() && selected.size() > 1 && !isStarting)
        compareRuns(selected);
    else
        showPage(page);
    focusPage();
}

/// The keyboard goes where the page in front wants it; a page that is empty has but its buttons.
void MainWindow::focusPage()
{
    QWidget* page = m_pages->currentWidget();
    if (page == m_recipes && m_recipes->current())
        page = m_recipes->current();
    if (const QWidget* wanted = page->focusProxy(); wanted && wanted->isVisible())
        return page->setFocus();
    for (QPushButton* button : page->findChildren<QPushButton*>())
        if (button->isVisible() && button->isEnabled())
            return button->setFocus();
}

void MainWindow::openRecipe(const QString& path)
{
    RecipePage* page = m_recipes->open(path);
    noteRecent(page->path());
    showPage(RecipePageIndex);
    m_sidebar->setCurrentRecipe(page->path());
    page->setFocus();
}

void MainWindow::setRunsRoot(const QString& root)
{
    m_runsRoot = root;
    m_queue->setRoot(root);
    m_lister->setRoot(root);
}

void MainWindow::selectRun(const QString& runPath)
{
    if (runPath == m_selectedRun)
        return;
    m_selectedRun = runPath;
    m_sidebar->selectRun(runPath);
    m_log->clear();
    const QString capsuleFile = m_runs->indexOf(runPath).data(RunListModel::CapsuleRole).toString();
    runPath.isEmpty() ? m_monitor->clear() : m_monitor->setRun(runPath, capsuleFile);
    refreshWatched();
    onSnapshot(runPath);
    refreshUtterances();
    refreshActions();
}

void MainWindow::compareRuns(const QStringList& runPaths)
{
    m_compared = runPaths;
    refreshWatched();
    refreshCompare();
    showPage(ComparePageIndex);
}

void MainWindow::refreshWatched()
{
    QSet<QString> watched(m_compared.begin(), m_compared.end());
    if (!m_selectedRun.isEmpty())
        watched.insert(m_selectedRun);
    for (const QString& beside : besideSelected())
        watched.insert(beside);
    m_session->watch(watched);
}

void MainWindow::onSnapshot(const QString& runPath)
{
    const SnapshotPtr snapshot = m_session->snapshot(runPath);
    if (!snapshot)
        return;
    if (runPath == m_selectedRun) {
        m_monitor->setHotwords(runPath, m_session->hotwords(runPath));
        m_monitor->setSnapshot(runPath, snapshot);
        m_log->setSnapshot(runPath, snapshot);
        refreshActions();
    }
    if (m_compared.contains(runPath))
        refreshCompare();
    if (runPath == m_selectedRun || besideSelected().contains(runPath))
        refreshUtterances();
}

void MainWindow::refreshCompare()
{
    std::vector<CompareRun> runs;
    const QStringList names = shortRunNames(m_compared);
    for (qsizetype i = 0; i < m_compared.size(); ++i)
        runs.push_back({ m_compared[i], names[i], runColor(m_compared[i]),
            m_session->snapshot(m_compared[i]) });
    m_compare->setRuns(runs);
}

void MainWindow::onRecipeChanged()
{
    RecipePage* page = m_recipes->current();
    m_problems->setModel(page ? page->problems() : nullptr);
    const bool isChecked = page && page->latestCheck();
    m_outline->setSymbols(isChecked ? page->latestCheck()->symbols : nullptr);
    if (page)
        m_outline->followCaret(page->editor()->caret());
    m_launch->setRecipe(page ? page->path() : QString());
    setWindowTitle(page ? tr("%1 — Earwright Studio").arg(page->title()) : tr("Earwright Studio"));
    if (page)
        m_sidebar->setCurrentRecipe(page->path());
    refreshActions();
    refreshStatus();
}

void MainWindow::refreshCheckContext()
{
    const LaunchRequest request = m_launch->request();
    m_recipes->setCheckContext({ .devices = request.devices,
        .precision = request.precision,
        .evalPrecision = request.evalPrecision,
        .overrides = request.overrides,
        .machine = m_devices->machine() });
}

} // namespace earwright::ui
