#include "ui/session/run_selection.h"

#include "ui/runs/run_list_model.h"
#include "ui/runs/sidebar.h"
#include "ui/session/session.h"
#include "ui/session/window_parts.h"

#include <algorithm>
#include <QSet>

namespace earwright::ui {
namespace {

/// The utterances of each fill one list of evaluations to choose from: more make it too long.
constexpr qsizetype kMostBeside = 8;

} // namespace

RunSelection::RunSelection(const WindowParts& parts)
    : m_parts(parts)
{
    connect(parts.sidebar, &Sidebar::currentRunChanged, this, &RunSelection::select);
    connect(parts.sidebar, &Sidebar::selectedRunsChanged, this, [this] {
        watch();
        Q_EMIT selectedChanged();
    });
}

void RunSelection::select(const QString& runPath)
{
    if (runPath == m_current)
        return;
    m_current = runPath;
    m_parts.sidebar->selectRun(runPath);
    watch();
    Q_EMIT currentChanged(runPath);
}

void RunSelection::setCompared(const QStringList& runPaths)
{
    m_compared = runPaths;
    watch();
    Q_EMIT comparedChanged();
}

void RunSelection::restore(const QString& runPath, const QStringList& compared)
{
    m_compared = compared; // before select(), which watches these too
    select(runPath);
    setCompared(compared);
}

QStringList RunSelection::selected() const
{
    return m_parts.sidebar->selectedRuns();
}

QStringList RunSelection::beside() const
{
    QStringList beside = m_compared + selected();
    beside.removeDuplicates();
    beside.removeAll(m_current);
    return beside.first(std::min(beside.size(), kMostBeside));
}

bool RunSelection::isCapsule(const QString& runPath) const
{
    return !m_parts.runs->indexOf(runPath).data(RunListModel::CapsuleRole).toString().isEmpty();
}

QStringList RunSelection::withoutCapsules(QStringList runPaths) const
{
    runPaths.removeIf([this](const QString& path) { return isCapsule(path); });
    return runPaths;
}

void RunSelection::watch()
{
    QSet<QString> watched(m_compared.begin(), m_compared.end());
    if (!m_current.isEmpty())
        watched.insert(m_current);
    for (const QString& run : beside())
        watched.insert(run);
    m_parts.session->watch(watched);
}

} // namespace earwright::ui
