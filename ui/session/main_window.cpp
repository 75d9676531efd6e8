#include "ui/session/main_window.h"

#include "ui/compare/compare_page.h"
#include "ui/editor/problems_panel.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/launch/launch_panel.h"
#include "ui/launch/launcher.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/log_panel.h"
#include "ui/runs/run_lister.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/sidebar.h"
#include "ui/session/action_registry.h"
#include "ui/session/devices.h"
#include "ui/session/session.h"
#include "ui/widgets/info_bar.h"
#include "ui/widgets/plot_colors.h"

#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace kymo::ui {
namespace {

    constexpr int kStateVersion = 1;

    QDockWidget* addDock(QMainWindow& window, Qt::DockWidgetArea area, const QString& title, const QString& name, QWidget* content)
    {
        auto* dock = new QDockWidget(title, &window);
        dock->setObjectName(name);
        dock->setWidget(content);
        window.addDockWidget(area, dock);
        return dock;
    }

    QString defaultRoot()
    {
        return QDir::current().absoluteFilePath(
            QString::fromStdU16String(run::defaultRunsRoot().u16string()));
    }

    QString gpuText(const check::Gpu& gpu)
    {
        const QString name = QString::fromStdString(gpu.name);
        return gpu.utilization < 0 ? name : QStringLiteral("%1 %2 %").arg(name).arg(gpu.utilization, 0, 'f', 0);
    }

} // namespace

MainWindow::MainWindow(Theme& theme, const SessionState& state, QWidget* parent)
    : QMainWindow(parent)
    , m_theme(theme)
    , m_actions(new ActionRegistry(this))
    , m_session(new Session(this))
    , m_devices(new Devices(this))
    , m_lister(new RunLister(this))
    , m_runs(new RunListModel(this))
    , m_launcher(new Launcher(this))
{
    setWindowTitle(tr("Kymo Studio"));
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    buildActions();
    buildPages();
    buildDocks();
    buildMenus();
    buildToolBar();
    connectParts();
    connectRuns();
    restore(state);
    m_devices->probe();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildPages()
{
    auto* center = new QWidget(this);
    m_bar = new InfoBar(center);
    m_pages = new QStackedWidget(center);
    m_recipes = new RecipeTabs({ action("file.open") }, m_pages);
    m_monitor = new MonitorPage({ action("run.start"), action("file.open") }, m_pages);
    m_compare = new ComparePage({ action("run.compare"), action("run.compareSelected") }, m_pages);
    m_pages->addWidget(m_recipes);
    m_pages->addWidget(m_monitor);
    m_pages->addWidget(m_compare);
    auto* column = new QVBoxLayout(center);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_pages, 1);
    setCentralWidget(center);
}

void MainWindow::buildDocks()
{
    m_sidebar = new Sidebar(m_runs,
        { action("run.compareSelected"), action("run.stop"), action("run.kill"), action("run.openFolder") }, this);
    m_problems = new ProblemsPanel(this);
    m_log = new LogPanel(this);
    m_launch = new LaunchPanel(*m_actions, this);
    // Side docks reach down to the status bar.
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    auto* side = addDock(*this, Qt::LeftDockWidgetArea, tr("Recipes and runs"), QStringLiteral("sidebarDock"), m_sidebar);
    auto* problems = addDock(*this, Qt::BottomDockWidgetArea, tr("Problems"), QStringLiteral("problemsDock"), m_problems);
    auto* log = addDock(*this, Qt::BottomDockWidgetArea, tr("Log"), QStringLiteral("logDock"), m_log);
    auto* launch = addDock(*this, Qt::RightDockWidgetArea, tr("Launch"), QStringLiteral("launchDock"), m_launch);
    tabifyDockWidget(problems, log);
    problems->raise();
    resizeDocks({ side, launch }, { 240, 300 }, Qt::Horizontal);
    resizeDocks({ problems }, { 170 }, Qt::Vertical);
    m_actions->adopt(side->toggleViewAction(), QStringLiteral("view.sidebar"));
    m_actions->adopt(problems->toggleViewAction(), QStringLiteral("view.problems"));
    m_actions->adopt(log->toggleViewAction(), QStringLiteral("view.log"));
    m_actions->adopt(launch->toggleViewAction(), QStringLiteral("view.launch"));
    m_statusProblems = new QLabel(this);
    m_statusRuns = new QLabel(this);
    m_statusDevices = new QLabel(this);
    for (QLabel* label : { m_statusProblems, m_statusRuns })
        label->setContentsMargins(8, 0, 8, 0);
    statusBar()->addPermanentWidget(m_statusProblems);
    statusBar()->addPermanentWidget(m_statusRuns);
    statusBar()->addPermanentWidget(m_statusDevices);
}

void MainWindow::connectParts()
{
    connect(&m_theme, &Theme::changed, m_actions, &ActionRegistry::refreshIcons);
    connect(m_recipes, &RecipeTabs::currentChanged, this, &MainWindow::onRecipeChanged);
    connect(m_recipes, &RecipeTabs::pathsChanged, this, [this] { m_sidebar->setRecipes(m_recipes->paths(), m_recent); });
    connect(m_recipes, &RecipeTabs::checked, this, &MainWindow::refreshStatus);
    connect(m_problems, &ProblemsPanel::problemActivated, this, [this](int row) {
        showPage(RecipePageIndex);
        m_recipes->current()->goToProblem(row);
    });
    connect(m_launch, &LaunchPanel::requestChanged, this, &MainWindow::refreshCheckContext);
    connect(m_devices, &Devices::machineChanged, this, [this] {
        m_launch->setMachine(m_devices->machine(), m_devices->error());
        if (m_devices->isProbed() && !m_launchState.isEmpty())
            m_launch->restoreState(std::exchange(m_launchState, {}));
        refreshCheckContext();
        refreshStatus();
    });
    connect(m_devices, &Devices::loadChanged, this, [this] {
        m_launch->setCpuLoad(m_devices->cpuLoad());
        refreshStatus();
    });
}

void MainWindow::connectRuns()
{
    connect(m_lister, &RunLister::listed, this, &MainWindow::onRunsListed);
    connect(m_sidebar, &Sidebar::recipeActivated, this, &MainWindow::openRecipe);
    connect(m_sidebar, &Sidebar::currentRunChanged, this, &MainWindow::selectRun);
    connect(m_sidebar, &Sidebar::runActivated, this, [this](const QString& runPath) {
        selectRun(runPath);
        if (m_sidebar->selectedRuns().size() == 1)
            showPage(MonitorPageIndex);
    });
    connect(m_sidebar, &Sidebar::selectedRunsChanged, this, &MainWindow::refreshActions);
    connect(m_monitor, &MonitorPage::stopRequested, this, &MainWindow::stopSelected);
    connect(m_session, &Session::snapshotChanged, this, &MainWindow::onSnapshot);
    connect(m_session, &Session::readFailed, this,
        [this](const QString&, const QString& message) { m_bar->showMessage(Tone::Bad, message); });
    connect(m_session, &Session::controlAnswered, this, [this](const QString&, const QString& error) {
        if (!error.isEmpty())
            m_bar->showMessage(Tone::Bad, tr("The run did not take the command: %1").arg(error));
    });
    connect(m_launcher, &Launcher::started, this, &MainWindow::onStarted);
    connect(m_launcher, &Launcher::left, this, &MainWindow::onLeft);
    connect(m_launcher, &Launcher::failed, this, [this](const QString& message) { m_bar->showMessage(Tone::Bad, message); });
}

void MainWindow::restore(const SessionState& state)
{
    m_recent = state.recentRecipes;
    m_launchState = state.launch;
    m_theme.setMode(static_cast<ThemeMode>(state.theme));
    action(state.theme == 0 ? "view.theme.auto" : state.theme == 1 ? "view.theme.light" : "view.theme.dark")->setChecked(true);
    setRunsRoot(state.runsRoot.isEmpty() ? defaultRoot() : state.runsRoot);
    for (const QString& path : state.openRecipes)
        openRecipe(path);
    if (!state.currentRecipe.isEmpty())
        openRecipe(state.currentRecipe);
    m_sidebar->setRecipes(m_recipes->paths(), m_recent);
    m_compared = state.comparedRuns;
    if (!state.selectedRun.isEmpty())
        m_sidebar->selectRun(state.selectedRun);
    selectRun(state.selectedRun);
    showPage(static_cast<Page>(state.page));
    resize(1360, 860);
    restoreGeometry(state.geometry);
    restoreState(state.docks, kStateVersion);
    refreshCheckContext();
    onRecipeChanged();
    refreshStatus();
}

SessionState MainWindow::state() const
{
    return { .geometry = saveGeometry(),
        .docks = saveState(kStateVersion),
        .openRecipes = m_recipes->paths(),
        .currentRecipe = m_recipes->current() ? m_recipes->current()->path() : QString(),
        .recentRecipes = m_recent,
        .runsRoot = m_runsRoot == defaultRoot() ? QString() : m_runsRoot,
        .selectedRun = m_selectedRun,
        .comparedRuns = m_compared,
        .page = m_pages->currentIndex(),
        .theme = static_cast<int>(m_theme.mode()),
        .launch = m_launchState.isEmpty() ? m_launch->state() : m_launchState };
}

void MainWindow::showPage(Page page)
{
    m_pages->setCurrentIndex(page);
    action(page == RecipePageIndex ? "view.recipe" : page == MonitorPageIndex ? "view.monitor" : "view.compare")->setChecked(true);
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
    m_lister->setRoot(root);
}

void MainWindow::selectRun(const QString& runPath)
{
    if (runPath == m_selectedRun)
        return;
    m_selectedRun = runPath;
    m_log->clear();
    runPath.isEmpty() ? m_monitor->clear() : m_monitor->setRun(runPath);
    refreshWatched();
    onSnapshot(runPath);
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
    m_session->watch(watched);
}

void MainWindow::onSnapshot(const QString& runPath)
{
    const SnapshotPtr snapshot = m_session->snapshot(runPath);
    if (!snapshot)
        return;
    if (runPath == m_selectedRun) {
        m_monitor->setSnapshot(runPath, snapshot);
        m_log->setSnapshot(runPath, snapshot);
        refreshActions();
    }
    if (m_compared.contains(runPath))
        refreshCompare();
}

void MainWindow::refreshCompare()
{
    std::vector<CompareRun> runs;
    for (const QString& path : std::as_const(m_compared))
        if (const SnapshotPtr snapshot = m_session->snapshot(path))
            runs.push_back({ path, QFileInfo(path).fileName(), runColor(path), snapshot });
    m_compare->setRuns(runs);
}

void MainWindow::onRunsListed(const std::vector<run::RunSummary>& runs)
{
    m_runs->setRuns(runs);
    QStringList found;
    for (const run::RunSummary& summary : runs) {
        const QString path = runPathOf(summary);
        const QString name = QFileInfo(path).fileName();
        const bool awaited = std::any_of(
            m_awaited.begin(), m_awaited.end(), [&](const QString& prefix) { return name.startsWith(prefix); });
        if (awaited && !m_runsBefore.contains(path) && !m_compared.contains(path))
            found << path;
    }
    if (!found.isEmpty())
        compareRuns(m_compared + found);
    refreshStatus();
    refreshActions();
}

void MainWindow::onRecipeChanged()
{
    RecipePage* page = m_recipes->current();
    m_problems->setModel(page ? page->problems() : nullptr);
    m_launch->setRecipe(page ? page->path() : QString());
    setWindowTitle(page ? tr("%1 — Kymo Studio").arg(page->title()) : tr("Kymo Studio"));
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

void MainWindow::refreshStatus()
{
    const RecipePage* page = m_recipes->current();
    const int errors = page ? page->problems()->errorCount() : 0;
    const int others = page ? page->problems()->rowCount() - errors : 0;
    m_statusProblems->setText(page ? tr("%n error(s)", nullptr, errors) + QStringLiteral(", ") + tr("%n warning(s)", nullptr, others) : QString());
    m_statusRuns->setText(tr("%n run(s) training", nullptr, static_cast<int>(m_runs->livePaths().size())));
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
    for (const char* id : { "file.save", "file.saveAs", "file.close", "edit.undo", "edit.redo", "edit.find", "edit.findNext",
             "edit.comment", "problem.next", "problem.previous", "problem.fix", "run.start", "run.compare" })
        action(id)->setEnabled(hasRecipe);
    const QModelIndex selected = m_runs->indexOf(m_selectedRun);
    const bool live = selected.isValid() && isLive(static_cast<run::State>(selected.data(RunListModel::StateRole).toInt()));
    action("run.stop")->setEnabled(live);
    action("run.kill")->setEnabled(live);
    action("run.openFolder")->setEnabled(!m_selectedRun.isEmpty());
    action("run.compareSelected")->setEnabled(!m_sidebar->selectedRuns().isEmpty());
}

} // namespace kymo::ui
