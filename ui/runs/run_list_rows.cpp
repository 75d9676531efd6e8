#include "ui/runs/run_list_model.h"

#include <algorithm>
#include <unordered_set>

namespace earwright::ui {

namespace {

using Paths = std::unordered_set<std::string>; // thousands of runs are looked up every second

bool isSameRun(const run::RunSummary& a, const run::RunSummary& b)
{
    return a.folder.path == b.folder.path;
}

Paths pathsOf(const std::vector<run::RunSummary>& runs)
{
    Paths paths;
    for (const run::RunSummary& summary : runs)
        paths.insert(summary.folder.path.native());
    return paths;
}

bool isAmong(const Paths& paths, const run::RunSummary& summary)
{
    return paths.contains(summary.folder.path.native());
}

} // namespace

/// Neighbours go together: who listens does so once.
void RunListModel::removeVanished(const std::vector<run::RunSummary>& runs)
{
    const Paths stay = pathsOf(runs);
    for (int last = rowCount() - 1; last >= 0; --last) {
        int first = last;
        while (first >= 0 && !isAmong(stay, m_runs[static_cast<size_t>(first)]))
            --first;
        if (first == last)
            continue;
        beginRemoveRows({}, first + 1, last);
        m_runs.erase(m_runs.begin() + first + 1, m_runs.begin() + last + 1);
        m_rowOf.clear();
        endRemoveRows();
        last = first + 1; // the loop goes on below it
    }
}

void RunListModel::insertNew(const std::vector<run::RunSummary>& runs)
{
    const Paths known = pathsOf(m_runs);
    for (size_t row = 0; row < runs.size(); ++row) {
        const auto place = m_runs.begin() + static_cast<std::ptrdiff_t>(row);
        const int to = static_cast<int>(row);
        const bool isKnown = isAmong(known, runs[row]);
        const auto old = isKnown ? std::find_if(place, m_runs.end(),
                             [&](const auto& mine) { return isSameRun(mine, runs[row]); })
                                 : m_runs.end();
        if (old == m_runs.end()) { // a known one too, where it is listed twice
            size_t end = row + 1;
            while (end < runs.size() && !isAmong(known, runs[end]))
                ++end;
            beginInsertRows({}, to, static_cast<int>(end) - 1);
            m_runs.insert(place, runs.begin() + static_cast<std::ptrdiff_t>(row),
                runs.begin() + static_cast<std::ptrdiff_t>(end));
            m_rowOf.clear();
            endInsertRows();
            row = end - 1;
            continue;
        }
        if (old != place) {
            // Moved, not removed: selection and current run stay with it.
            const int from = static_cast<int>(old - m_runs.begin());
            beginMoveRows({}, from, from, {}, to);
            std::rotate(place, old, old + 1);
            m_rowOf.clear();
            endMoveRows();
        }
    }
}

} // namespace earwright::ui
