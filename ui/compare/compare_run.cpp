#include "ui/compare/compare_run.h"

#include "ui/runs/run_state.h"

#include <QFileInfo>

#include <algorithm>

namespace earwright::ui {

namespace {

/// Length of what all names begin with, up to and with a '-'; 0 where a name would be left empty.
qsizetype commonHead(const QStringList& names)
{
    const auto [least, greatest] = std::minmax_element(names.begin(), names.end());
    qsizetype length = 0;
    while (length < std::min(least->size(), greatest->size())
        && least->at(length) == greatest->at(length))
        ++length;
    const qsizetype head = least->first(length).lastIndexOf(QLatin1Char('-')) + 1;
    const bool leavesNothing = std::any_of(
        names.begin(), names.end(), [head](const QString& name) { return name.size() == head; });
    return leavesNothing ? 0 : head;
}

} // namespace

QStringList shortRunNames(const QStringList& runPaths)
{
    QStringList names;
    for (const QString& path : runPaths)
        names << nameWithoutTime(QFileInfo(path).fileName());
    QStringList distinct = names;
    if (distinct.removeDuplicates() > 0) {
        for (qsizetype i = 0; i < names.size(); ++i)
            names[i] = QFileInfo(runPaths[i]).fileName();
        return names;
    }
    const qsizetype head = names.size() > 1 ? commonHead(names) : 0;
    for (QString& name : names)
        name.remove(0, head);
    return names;
}

} // namespace earwright::ui
