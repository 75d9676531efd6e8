#include "ui/runs/run_list_model.h"
#include "ui/runs/run_listing.h"
#include "ui/runs/sidebar.h"
#include "ui/session/main_window.h"

#include <algorithm>
#include <filesystem>
#include <QAction>
#include <QFileInfo>
#include <QStackedWidget>
#include <QStatusBar>
#include <utility>

namespace earwright::ui {
namespace {

constexpr int kMessageTimeMs = 8000;

bool liesIn(const QString& runPath, const QString& root)
{
    const auto folderOf = [](const QString& path) {
        return std::filesystem::path(path.toStdU16String()).parent_path();
    };
    return folderOf(runPath) == folderOf(root + QStringLiteral("/run"));
}

} // namespace

void MainWindow::onRunsListed(const RunListing& listing)
{
    m_sidebar->setHindrance(listing.hindrance);
    if (!listing.runs && m_runsRoot == m_listedRoot)
        return; // a disk in a network may not answer for a moment: what was listed stays
    m_listedRoot = m_runsRoot;
    std::vector<run::RunSummary> runs = listing.runs.value_or(std::vector<run::RunSummary>());
    tellNewWaiting(runs);
    showRuns(std::move(runs));
    action("run.queueHeld")->setChecked(listing.hindrance.isHeld);
    if (listing.runs) {
        forgetVanished();
        dropRestoredRun();
        compareAwaited();
    }
    refreshStatus();
    refreshActions();
}

/// What F6 came to: the list may be scrolled elsewhere.
void MainWindow::tellNewWaiting(const std::vector<run::RunSummary>& runs)
{
    for (const run::RunSummary& summary : runs) {
        if (summary.place == 0 || statusBar()->currentMessage().isEmpty())
            continue;
        if (m_runs->indexOf(runPathOf(summary)).data(RunListModel::PlaceRole).toInt() == 0)
            statusBar()->showMessage(tr("%1 waits at place %2 of the queue")
                                         .arg(QFileInfo(runPathOf(summary)).fileName())
                                         .arg(summary.place),
                kMessageTimeMs);
    }
}

/// The runs of a comparison being started appear one after the other, each of them once.
void MainWindow::compareAwaited()
{
    QStringList found;
    for (const run::RunSummary& summary : m_runs->runs()) {
        const QString path = runPathOf(summary);
        const QString name = QFileInfo(path).fileName();
        const auto beginning = std::find_if(m_awaited.begin(), m_awaited.end(),
            [&](const QString& awaited) { return name.startsWith(awaited); });
        if (beginning == m_awaited.end() || m_runsBefore.contains(path)
            || m_compared.contains(path))
            continue;
        m_awaited.erase(beginning);
        found << path;
    }
    if (m_comparer == 0)
        m_awaited.clear(); // nobody makes them any more
    if (found.isEmpty())
        return;
    m_compared += found;
    refreshWatched();
    refreshCompare();
    if (m_pages->currentIndex() == ComparePageIndex)
        selectRun(found.first()); // the one at work: Stop and its like are about this run
}

/// A run that was removed is compared no longer; of one in another folder the list says nothing.
void MainWindow::forgetVanished()
{
    const auto isGone = [this](const QString& run) {
        return liesIn(run, m_listedRoot) && !m_runs->indexOf(run).isValid();
    };
    if (m_compared.removeIf(isGone) == 0)
        return;
    refreshWatched();
    refreshCompare();
}

/// Where it was removed since, or the window looks at another folder now: nothing would come of
/// waiting for its events.
void MainWindow::dropRestoredRun()
{
    const QString run = std::exchange(m_restoredRun, {});
    if (run == m_selectedRun && !m_runs->indexOf(run).isValid())
        selectRun({});
}

} // namespace earwright::ui
