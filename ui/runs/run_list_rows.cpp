#include "ui/runs/run_list_model.h"

#include <algorithm>
#include <unordered_set>

namespace earwright::ui {

namespace {

bool isSameRun(const run::RunSummary& a, const run::RunSummary& b)
{
    return a.folder.path == b.folder.path;
}

} // namespace

void RunListModel::removeVanished(const std::vector<run::RunSummary>& runs)
{
    std::unordered_set<std::string> stay; // thousands of runs are looked up every second
    for (const run::RunSummary& summary : runs)
        stay.insert(summary.folder.path.native());
    for (int row = rowCount() - 1; row >= 0; --row) {
        const auto mine = m_runs.begin() + row;
        if (stay.contains(mine->folder.path.native()))
            continue;
        beginRemoveRows({}, row, row);
        m_runs.erase(mine);
        endRemoveRows();
    }
}

void RunListModel::insertNew(const std::vector<run::RunSummary>& runs)
{
    for (size_t row = 0; row < runs.size(); ++row) {
        const auto place = m_runs.begin() + static_cast<std::ptrdiff_t>(row);
        const auto old = std::find_if(
            place, m_runs.end(), [&](const auto& mine) { return isSameRun(mine, runs[row]); });
        const int to = static_cast<int>(row);
        if (old == m_runs.end()) {
            beginInsertRows({}, to, to);
            m_runs.insert(place, runs[row]);
            endInsertRows();
        } else if (old != place) {
            // Moved, not removed: selection and current run stay with it.
            const int from = static_cast<int>(old - m_runs.begin());
            beginMoveRows({}, from, from, {}, to);
            std::rotate(place, old, old + 1);
            endMoveRows();
        }
    }
}

} // namespace earwright::ui
