#include "ui/session/comparison_controller.h"

#include "ui/compare/compare_page.h"
#include "ui/launch/run_starter.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/runs_page.h"
#include "ui/session/run_selection.h"
#include "ui/session/runs_controller.h"
#include "ui/session/session.h"
#include "ui/session/window_parts.h"
#include "ui/widgets/plot_colors.h"

#include <algorithm>
#include <filesystem>
#include <QFileInfo>

namespace earwright::ui {
namespace {

bool liesIn(const QString& runPath, const QString& root)
{
    const auto folderOf = [](const QString& path) {
        return std::filesystem::path(path.toStdU16String()).parent_path();
    };
    return folderOf(runPath) == folderOf(root + QStringLiteral("/run"));
}

} // namespace

ComparisonController::ComparisonController(
    const WindowParts& parts, RunSelection& selection, RunsController& runs)
    : m_parts(parts)
    , m_selection(selection)
    , m_runs(runs)
{
    connect(parts.pages, &WindowPages::opening, this, &ComparisonController::onOpening);
    connect(&runs, &RunsController::listed, this, &ComparisonController::onListed);
    connect(&selection, &RunSelection::comparedChanged, this, &ComparisonController::refresh);
    connect(&selection, &RunSelection::currentChanged, this, &ComparisonController::onSnapshot);
    connect(parts.runsPage, &RunsPage::compareRequested, this, [this](const QStringList& runPaths) {
        m_awaited.clear(); // the user's choice stays as it is
        compare(runPaths);
    });
    connect(parts.session, &Session::snapshotChanged, this, &ComparisonController::onSnapshot);
}

void ComparisonController::compare(const QStringList& runPaths)
{
    m_selection.setCompared(runPaths);
    m_parts.pages->showPage(ComparePageIndex);
}

void ComparisonController::compareSelected()
{
    m_awaited.clear(); // the user's choice stays as it is
    compare(m_selection.selected());
}

/// An empty comparison takes the runs that are selected.
void ComparisonController::onOpening(WindowPage page)
{
    const QStringList selected = m_selection.selected();
    const bool isStarting = !m_awaited.isEmpty();
    if (page == ComparePageIndex && m_selection.compared().isEmpty() && selected.size() > 1
        && !isStarting)
        m_selection.setCompared(selected);
}

void ComparisonController::noteRuns()
{
    m_runsBefore.clear();
    for (const run::RunSummary& summary : m_parts.runs->runs())
        m_runsBefore << runPathOf(summary);
}

void ComparisonController::await(const Started& started)
{
    m_comparer = started.pid;
    m_awaited = started.beginnings;
    compare({});
}

void ComparisonController::forget(const Started& started)
{
    if (started.pid == m_comparer)
        m_comparer = 0;
}

void ComparisonController::onListed(bool isRead)
{
    if (!isRead)
        return;
    forgetVanished();
    takeAwaited();
}

void ComparisonController::onSnapshot(const QString& runPath)
{
    // Of thousands of runs: the page knows which are its own, and takes many at once.
    if (const SnapshotPtr snapshot = m_parts.session->snapshot(runPath))
        m_parts.compare->setSnapshot(runPath, snapshot);
}

void ComparisonController::refresh()
{
    std::vector<CompareRun> runs;
    const QStringList compared = m_selection.compared();
    const QStringList names = shortRunNames(compared);
    for (qsizetype i = 0; i < compared.size(); ++i)
        runs.push_back({ compared[i], names[i], runColor(compared[i]),
            m_parts.session->snapshot(compared[i]) });
    m_parts.compare->setRuns(runs);
}

/// The runs of a comparison being started appear one after the other, each of them once.
void ComparisonController::takeAwaited()
{
    if (m_awaited.isEmpty())
        return;
    QStringList found;
    for (const run::RunSummary& summary : m_parts.runs->runs()) {
        const QString path = runPathOf(summary);
        const QString name = QFileInfo(path).fileName();
        const auto beginning = std::find_if(m_awaited.begin(), m_awaited.end(),
            [&](const QString& awaited) { return name.startsWith(awaited); });
        if (beginning == m_awaited.end() || m_runsBefore.contains(path)
            || m_selection.compared().contains(path))
            continue;
        m_awaited.erase(beginning);
        found << path;
    }
    if (m_comparer == 0)
        m_awaited.clear(); // nobody makes them any more
    if (found.isEmpty())
        return;
    m_selection.setCompared(m_selection.compared() + found);
    if (m_parts.pages->isInFront(ComparePageIndex))
        m_selection.select(found.first()); // the one at work: Stop and its like are about this run
}

/// A run that was removed is compared no longer; of one in another folder the list says nothing.
void ComparisonController::forgetVanished()
{
    QStringList compared = m_selection.compared();
    const auto isGone = [this](const QString& run) {
        return liesIn(run, m_runs.root()) && !m_parts.runs->indexOf(run).isValid();
    };
    if (compared.removeIf(isGone) > 0)
        m_selection.setCompared(compared);
}

} // namespace earwright::ui
