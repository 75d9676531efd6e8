#include "ui/session/main_window.h"

#include "ui/editor/recipe_tabs.h"
#include "ui/launch/launcher.h"
#include "ui/runs/capsules.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_lister.h"
#include "ui/runs/run_queue.h"
#include "ui/session/devices.h"
#include "ui/session/session.h"
#include "ui/session/tab_order.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_controllers.h"
#include "ui/session/window_docks.h"
#include "ui/session/window_menus.h"
#include "ui/widgets/combo_access.h"
#include "ui/widgets/info_bar.h"

#include <QCloseEvent>
#include <QVBoxLayout>

namespace earwright::ui {

MainWindow::MainWindow(Theme& theme, const SessionState& state, QWidget* parent)
    : QMainWindow(parent)
    , m_parts { .window = *this, .theme = theme }
{
    nameCombosByTheirLabels();
    setWindowTitle(tr("Earwright Studio"));
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    makeEngines();
    makeActions();
    buildCenter();
    buildDocks(m_parts);
    buildMenus(m_parts);
    buildToolBar(m_parts);
    m_controllers = std::make_unique<WindowControllers>(m_parts);
    m_controllers->session.restore(state);
    m_parts.devices->probe();
}

MainWindow::~MainWindow() = default;

void MainWindow::makeEngines()
{
    m_parts.actions = new WindowActions(*this);
    m_parts.session = new Session(this);
    m_parts.devices = new Devices(this);
    m_parts.lister = new RunLister(this);
    m_parts.capsules = new Capsules(this);
    m_parts.runs = new RunListModel(this);
    m_parts.queue = new RunQueue(this);
    m_parts.launcher = new Launcher(this);
    connect(&m_parts.theme, &Theme::changed, m_parts.actions->registry(),
        &ActionRegistry::refreshIcons);
}

void MainWindow::makeActions()
{
    addFileActions(m_parts, m_controllers);
    addEditActions(m_parts, m_controllers);
    addRunActions(m_parts, m_controllers);
    addQueueActions(m_parts, m_controllers);
    addViewActions(m_parts, m_controllers);
    addUtteranceActions(m_parts);
    addPlotActions(m_parts, m_controllers);
}

void MainWindow::buildCenter()
{
    auto* center = new QWidget(this);
    m_parts.bar = new InfoBar(center);
    m_parts.heldBar = new InfoBar(center);
    m_parts.leftBar = new InfoBar(center);
    m_parts.pages = new WindowPages(m_parts, center);
    auto* column = new QVBoxLayout(center);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_parts.bar);
    column->addWidget(m_parts.heldBar);
    column->addWidget(m_parts.leftBar);
    column->addWidget(m_parts.pages, 1);
    setCentralWidget(center);
}

void MainWindow::openRecipe(const QString& path)
{
    m_controllers->recipes.open(path);
}

void MainWindow::openFile(const QString& path)
{
    m_controllers->capsules.open(path);
}

void MainWindow::setRunsRoot(const QString& root)
{
    m_controllers->runs.setRoot(root);
}

void MainWindow::selectRun(const QString& runPath)
{
    m_controllers->selection.select(runPath);
}

void MainWindow::compareRuns(const QStringList& runPaths)
{
    m_controllers->comparison.compare(runPaths);
}

void MainWindow::showPage(WindowPage page)
{
    m_parts.pages->showPage(page);
}

void MainWindow::beginWith(const SessionStart& start)
{
    m_controllers->session.begin(start);
}

SessionState MainWindow::state() const
{
    return m_controllers->session.state();
}

void MainWindow::keepForNextTime()
{
    m_controllers->session.keepForNextTime();
}

const ActionRegistry& MainWindow::actions() const
{
    return *m_parts.actions->registry();
}

QString MainWindow::selectedRun() const
{
    return m_controllers->selection.current();
}

bool MainWindow::focusNextPrevChild(bool next)
{
    return moveFocus(*this, next);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    // Texts that are discarded are lost: what else may keep the window is asked before.
    const std::optional<QStringList> toStop = m_controllers->steering.askForRuns();
    if (!toStop || !m_parts.recipes->closeAll()) {
        event->ignore();
        return;
    }
    SteeringController::stopAll(*toStop);
    m_controllers->session.end();
    event->accept();
}

} // namespace earwright::ui
