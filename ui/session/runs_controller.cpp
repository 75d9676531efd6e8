#include "ui/session/runs_controller.h"

#include "ui/monitor/monitor_page.h"
#include "ui/runs/capsules.h"
#include "ui/runs/log_panel.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_lister.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/runs_page.h"
#include "ui/runs/sidebar.h"
#include "ui/session/run_selection.h"
#include "ui/session/session.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_pages.h"
#include "ui/session/window_parts.h"
#include "ui/widgets/info_bar.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QUrl>
#include <utility>

namespace earwright::ui {

RunsController::RunsController(const WindowParts& parts, RunSelection& selection)
    : m_parts(parts)
    , m_selection(selection)
{
    connectParts();
}

void RunsController::connectParts()
{
    connect(m_parts.lister, &RunLister::listed, this, &RunsController::onListed);
    connect(m_parts.sidebar, &Sidebar::runActivated, this, [this](const QString& runPath) {
        m_selection.select(runPath);
        if (m_selection.selected().size() == 1)
            m_parts.pages->showPage(MonitorPageIndex);
    });
    connect(m_parts.runsPage, &RunsPage::runActivated, this, [this](const QString& runPath) {
        m_selection.select(runPath);
        m_parts.pages->showPage(MonitorPageIndex);
    });
    connect(m_parts.runsPage, &RunsPage::runsChanged, m_parts.lister, &RunLister::listNow);
    connect(&m_selection, &RunSelection::currentChanged, this, &RunsController::onCurrentChanged);
    connect(&m_selection, &RunSelection::selectedChanged, this, [this] {
        nameShown();
        m_parts.actions->refresh();
    });
    connect(m_parts.session, &Session::snapshotChanged, this, &RunsController::onSnapshot);
    connect(m_parts.session, &Session::hotwordsChanged, m_parts.monitor, &MonitorPage::setHotwords);
    connect(m_parts.session, &Session::readFailed, this,
        [this](const QString&, const QString& message) {
            m_parts.bar->showMessage(Tone::Bad, message);
        });
}

void RunsController::setRoot(const QString& root)
{
    m_root = root;
    m_parts.queue->setRoot(root);
    m_parts.lister->setRoot(root);
}

void RunsController::chooseRoot()
{
    const QString path = QFileDialog::getExistingDirectory(
        &m_parts.window, tr("Folder that holds the runs"), m_root);
    if (!path.isEmpty())
        setRoot(path);
}

void RunsController::restore(const QString& runPath, const QStringList& compared)
{
    m_selection.restore(runPath, compared);
    m_restored = runPath;
}

void RunsController::goToList()
{
    QAction* sidebar = m_parts.actions->find("view.sidebar");
    if (!sidebar->isChecked())
        sidebar->trigger();
    m_parts.sidebar->setFocus();
}

void RunsController::openFolder() const
{
    QDesktopServices::openUrl(QUrl::fromLocalFile(m_selection.current()));
}

void RunsController::onListed(const RunListing& found)
{
    m_parts.sidebar->setHindrance(found.hindrance);
    if (!found.runs && m_root == m_listedRoot)
        return; // a disk in a network may not answer for a moment: what was listed stays
    m_listedRoot = m_root;
    Q_EMIT listing(found);
    show(found.runs.value_or(std::vector<run::RunSummary>()));
    if (found.runs)
        dropRestored();
    Q_EMIT listed(found.runs.has_value());
    m_parts.actions->refresh();
}

void RunsController::relist()
{
    std::vector<run::RunSummary> own = m_parts.runs->runs();
    std::erase_if(own, [](const run::RunSummary& run) { return !run.capsule.empty(); });
    show(std::move(own));
}

/// Those of the runs folder, with the capsules after them.
void RunsController::show(std::vector<run::RunSummary> own)
{
    for (const run::RunSummary& run : m_parts.capsules->runs())
        own.push_back(run);
    m_parts.runs->setRuns(std::move(own));
}

/// Where it was removed since, or the window looks at another folder now: nothing would come of
/// waiting for its events.
void RunsController::dropRestored()
{
    const QString run = std::exchange(m_restored, {});
    if (run == m_selection.current() && !m_parts.runs->indexOf(run).isValid())
        m_selection.select({});
}

void RunsController::onCurrentChanged(const QString& runPath)
{
    m_parts.log->clear();
    const QString capsuleFile
        = m_parts.runs->indexOf(runPath).data(RunListModel::CapsuleRole).toString();
    if (runPath.isEmpty())
        m_parts.monitor->clear();
    else
        m_parts.monitor->setRun(runPath, capsuleFile);
    onSnapshot(runPath);
    nameShown();
    m_parts.actions->refresh();
}

void RunsController::onSnapshot(const QString& runPath)
{
    const SnapshotPtr snapshot = m_parts.session->snapshot(runPath);
    if (!snapshot || runPath != m_selection.current())
        return;
    m_parts.monitor->setHotwords(runPath, m_parts.session->hotwords(runPath));
    m_parts.monitor->setSnapshot(runPath, snapshot);
    m_parts.log->setSnapshot(runPath, snapshot);
    m_parts.actions->refresh();
}

/// Where several runs are selected, what acts on the one shown says which that is.
void RunsController::nameShown()
{
    const bool isOneOfSeveral = m_selection.selected().size() > 1;
    m_parts.actions->nameRun(
        isOneOfSeveral ? QFileInfo(m_selection.current()).fileName() : QString());
}

} // namespace earwright::ui
