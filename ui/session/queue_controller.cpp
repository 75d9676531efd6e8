#include "ui/session/queue_controller.h"

#include "ui/launch/launcher.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_lister.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/sidebar.h"
#include "ui/session/run_selection.h"
#include "ui/session/runs_controller.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_parts.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QStatusBar>

namespace earwright::ui {
namespace {

constexpr int kMessageTimeMs = 8000;

} // namespace

QueueController::QueueController(
    const WindowParts& parts, RunSelection& selection, RunsController& runs)
    : m_parts(parts)
    , m_selection(selection)
    , m_runs(runs)
{
    connect(&runs, &RunsController::listing, this, &QueueController::onListing);
    connect(parts.launcher, &Launcher::queueChanged, parts.lister, &RunLister::listNow);
    connect(parts.queue, &RunQueue::changed, parts.lister, &RunLister::listNow);
    connect(parts.queue, &RunQueue::failed, this,
        [this](const QString& message) { complain(m_parts, message); });
    connect(parts.runs, &RunListModel::moveRequested, parts.queue, &RunQueue::moveBy);
    connect(parts.sidebar, &Sidebar::queueGoOnRequested, this, [this] { setHeld(false); });
}

void QueueController::add()
{
    change("add", m_selection.withoutCapsules(m_selection.selected()));
}

void QueueController::remove()
{
    m_parts.queue->remove(m_selection.selected());
}

void QueueController::move(int places)
{
    m_parts.queue->moveBy(m_selection.current(), places);
}

void QueueController::setHeld(bool isHeld)
{
    change(isHeld ? "stop" : "start");
}

void QueueController::change(const char* verb, const QStringList& runPaths)
{
    m_parts.launcher->changeQueue(QStringList { QStringLiteral("queue"), QLatin1String(verb) }
        + runPaths + QStringList { QStringLiteral("--runs-dir"), m_runs.root() });
}

void QueueController::onListing(const RunListing& listing)
{
    if (listing.runs)
        tellNewWaiting(*listing.runs);
    m_parts.actions->find("run.queueHeld")->setChecked(listing.hindrance.isHeld);
}

/// What F6 came to: the list may be scrolled elsewhere.
void QueueController::tellNewWaiting(const std::vector<run::RunSummary>& runs)
{
    QStatusBar* bar = m_parts.window.statusBar();
    for (const run::RunSummary& summary : runs) {
        if (summary.place == 0 || bar->currentMessage().isEmpty())
            continue;
        const QString path = runPathOf(summary);
        if (m_parts.runs->indexOf(path).data(RunListModel::PlaceRole).toInt() == 0)
            bar->showMessage(tr("%1 waits at place %2 of the queue")
                                 .arg(QFileInfo(path).fileName())
                                 .arg(summary.place),
                kMessageTimeMs);
    }
}

} // namespace earwright::ui
