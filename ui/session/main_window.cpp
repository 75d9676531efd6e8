#include "ui/session/main_window.h"

#include "ui/compare/compare_page.h"
#include "ui/editor/outline_panel.h"
#include "ui/editor/problems_panel.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/editor/usages_panel.h"
#include "ui/launch/launch_panel.h"
#include "ui/launch/launcher.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/capsules.h"
#include "ui/runs/log_panel.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_lister.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/sidebar.h"
#include "ui/session/devices.h"
#include "ui/session/session.h"
#include "ui/session/session_keeper.h"
#include "ui/session/start_mark.h"
#include "ui/utterances/utterances_page.h"
#include "ui/widgets/action_registry.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/info_bar.h"
#include "ui/widgets/path_text.h"

#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace earwright::ui {
namespace {

QDockWidget* addDock(QMainWindow& window, Qt::DockWidgetArea area, const QString& title,
    const QString& name, QWidget* content)
{
    auto* dock = new QDockWidget(title, &window);
    dock->setObjectName(name);
    dock->setWidget(content);
    window.addDockWidget(area, dock);
    return dock;
}

/// What is taller than a small screen: it scrolls there.
QScrollArea* scrolled(QWidget* content, const QString& name)
{
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setMinimumWidth(content->minimumWidth());
    area->setAccessibleName(name);
    return area;
}

} // namespace

MainWindow::MainWindow(Theme& theme, const SessionState& state, QWidget* parent)
    : QMainWindow(parent)
    , m_theme(theme)
    , m_actions(new ActionRegistry(this))
    , m_session(new Session(this))
    , m_devices(new Devices(this))
    , m_lister(new RunLister(this))
    , m_capsules(new Capsules(this))
    , m_runs(new RunListModel(this))
    , m_queue(new RunQueue(this))
    , m_launcher(new Launcher(this))
    , m_keeper(new SessionKeeper([this] { return this->state(); }, this))
    , m_startMark(new StartMark([this] { return isRestored(); }, this))
    , m_defaultRoot(QDir::current().absoluteFilePath(pathText(run::defaultRunsRoot())))
{
    setWindowTitle(tr("Earwright Studio"));
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    buildActions();
    buildPages();
    buildDocks();
    buildMenus();
    buildToolBar();
    connectParts();
    connectRecipes();
    connectRuns();
    connectUtterances();
    connectCapsules();
    restore(state);
    m_devices->probe();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildPages()
{
    auto* center = new QWidget(this);
    m_bar = new InfoBar(center);
    m_heldBar = new InfoBar(center);
    m_leftBar = new InfoBar(center);
    m_pages = new QStackedWidget(center);
    m_pages->setObjectName(QStringLiteral("pages"));
    m_recipes = new RecipeTabs({ action("file.open"), action("file.new") }, m_pages);
    m_monitor = new MonitorPage({ action("run.start"), action("file.open") }, m_pages);
    m_compare = new ComparePage({ action("run.compare"), action("run.compareSelected") }, m_pages);
    m_pages->addWidget(m_recipes);
    m_pages->addWidget(m_monitor);
    m_utterances = new UtterancesPage(
        { .empty = { action("run.start"), action("file.open") },
            .play = action("utterance.play"),
            .ofRow = { action("utterance.play"), action("utterance.export") } },
        m_pages);
    m_pages->addWidget(m_compare);
    m_pages->addWidget(m_utterances);
    auto* column = new QVBoxLayout(center);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_heldBar);
    column->addWidget(m_leftBar);
    column->addWidget(m_pages, 1);
    setCentralWidget(center);
}

void MainWindow::buildDocks()
{
    m_sidebar = new Sidebar(m_runs,
        { action("run.compareSelected"), action("run.stop"), action("run.resume"),
            action("run.resumeWith"), action("run.enqueue"), action("run.queueUp"),
            action("run.queueDown"), action("run.dequeue"), action("run.pause"),
            action("run.continue"), action("run.checkpoint"), action("run.setLearningRate"),
            action("run.kill"), action("run.openFolder"), action("file.closeCapsule") },
        this);
    m_problems = new ProblemsPanel(this);
    m_log = new LogPanel(this);
    m_usages = new UsagesPanel(this);
    m_outline = new OutlinePanel(this);
    m_launch = new LaunchPanel(*m_actions, this);
    // Side docks reach down to the status bar.
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    auto* side = addDock(*this, Qt::LeftDockWidgetArea, tr("Recipes and runs"),
        QStringLiteral("sidebarDock"), m_sidebar);
    m_problemsDock = addDock(*this, Qt::BottomDockWidgetArea, tr("Problems"),
        QStringLiteral("problemsDock"), m_problems);
    m_logDock
        = addDock(*this, Qt::BottomDockWidgetArea, tr("Log"), QStringLiteral("logDock"), m_log);
    m_usagesDock = addDock(
        *this, Qt::BottomDockWidgetArea, tr("Usages"), QStringLiteral("usagesDock"), m_usages);
    m_outlineDock = addDock(
        *this, Qt::LeftDockWidgetArea, tr("Outline"), QStringLiteral("outlineDock"), m_outline);
    auto* launch = addDock(*this, Qt::RightDockWidgetArea, tr("Launch"),
        QStringLiteral("launchDock"), scrolled(m_launch, tr("Launch")));
    tabifyDockWidget(m_problemsDock, m_logDock);
    tabifyDockWidget(m_logDock, m_usagesDock);
    m_problemsDock->raise();
    resizeDocks({ side, launch }, { 240, 300 }, Qt::Horizontal);
    resizeDocks({ m_problemsDock }, { 170 }, Qt::Vertical);
    m_actions->adopt(side->toggleViewAction(), QStringLiteral("view.sidebar"));
    m_actions->adopt(m_problemsDock->toggleViewAction(), QStringLiteral("view.problems"));
    m_actions->adopt(m_logDock->toggleViewAction(), QStringLiteral("view.log"));
    m_actions->adopt(m_usagesDock->toggleViewAction(), QStringLiteral("view.usages"));
    m_actions->adopt(m_outlineDock->toggleViewAction(), QStringLiteral("view.outline"));
    m_actions->adopt(launch->toggleViewAction(), QStringLiteral("view.launch"));
    m_statusProblems = new QLabel(this);
    m_statusRuns = new QLabel(this);
    m_statusDevices = new ElidedLabel(this); // many GPUs have long names
    for (QLabel* label : { m_statusProblems, m_statusRuns })
        label->setContentsMargins(8, 0, 8, 0);
    statusBar()->addPermanentWidget(m_statusProblems);
    statusBar()->addPermanentWidget(m_statusRuns);
    statusBar()->addPermanentWidget(m_statusDevices);
}

void MainWindow::connectParts()
{
    connect(&m_theme, &Theme::changed, m_actions, &ActionRegistry::refreshIcons);
    m_launch->setMachine(m_devices->machine(), {}); // the processor is known before any answer
    connect(m_launch, &LaunchPanel::requestChanged, this, &MainWindow::refreshCheckContext);
    connect(m_devices, &Devices::machineChanged, this, [this] {
        m_launch->setMachine(m_devices->machine(), m_devices->error());
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
    connect(m_monitor, &MonitorPage::stopRequested, this, [this] { tellSelected("stop"); });
    connect(m_monitor, &MonitorPage::resumeRequested, action("run.resume"), &QAction::trigger);
    connect(m_monitor, &MonitorPage::recipeChangeWanted, this, &MainWindow::changeRecipe);
    connect(m_session, &Session::snapshotChanged, this, &MainWindow::onSnapshot);
    connect(m_session, &Session::hotwordsChanged, m_monitor, &MonitorPage::setHotwords);
    connect(m_session, &Session::readFailed, this,
        [this](const QString&, const QString& message) { m_bar->showMessage(Tone::Bad, message); });
    connect(
        m_session, &Session::controlAnswered, this, [this](const QString&, const QString& error) {
            if (!error.isEmpty())
                m_bar->showMessage(
                    Tone::Bad, tr("The run did not take the command: %1").arg(error));
        });
    connect(m_launcher, &Launcher::started, this, &MainWindow::onStarted);
    connect(m_launcher, &Launcher::left, this, &MainWindow::onLeft);
    connect(m_launcher, &Launcher::queueChanged, m_lister, &RunLister::listNow);
    connect(m_queue, &RunQueue::changed, m_lister, &RunLister::listNow);
    connect(m_runs, &RunListModel::moveRequested, m_queue, &RunQueue::moveBy);
    connect(m_sidebar, &Sidebar::queueGoOnRequested, this, [this] { changeQueue("start"); });
    const auto complain = [this](const QString& message) {
        statusBar()->clearMessage();
        m_bar->showMessage(Tone::Bad, message);
    };
    connect(m_queue, &RunQueue::failed, this, complain);
    connect(m_launcher, &Launcher::failed, this, complain);
}

} // namespace earwright::ui
