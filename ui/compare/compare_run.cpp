#include "ui/compare/compare_run.h"

#include "core/run/run_folder.h"
#include "core/run/run_settings.h"
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

OverridesByPath readOverridesOf(const QStringList& runPaths)
{
    OverridesByPath found;
    for (const QString& path : runPaths) {
        const auto overrides
            = run::readOverrides(run::RunFolder { std::filesystem::path(path.toStdU16String()) });
        found.insert(path, overrides ? *overrides : std::vector<std::string>());
    }
    return found;
}

void nameByDifferences(
    std::vector<CompareRun>& runs, const QStringList& names, const OverridesByPath& overrides)
{
    std::vector<std::vector<std::string>> ofRuns;
    for (const CompareRun& run : runs)
        ofRuns.push_back(overrides.value(run.path));
    const std::vector<std::string> differs = run::whatDiffers(ofRuns);
    QStringList shortNames;
    for (size_t i = 0; i < runs.size(); ++i) {
        const QString& name = names[static_cast<qsizetype>(i)];
        runs[i].differs = runs.size() > 1 ? QString::fromStdString(differs[i]) : QString();
        runs[i].name = name;
        shortNames << nameWithoutTime(name) + QStringLiteral(" · ") + runs[i].differs;
    }
    QStringList distinct = shortNames;
    const bool areDistinct = distinct.removeDuplicates() == 0;
    for (size_t i = 0; i < runs.size(); ++i) {
        if (!runs[i].differs.isEmpty())
            runs[i].name = areDistinct ? shortNames[static_cast<qsizetype>(i)]
                                       : runs[i].name + QStringLiteral(" · ") + runs[i].differs;
        else if (areDistinct)
            runs[i].name = nameWithoutTime(runs[i].name);
    }
}

} // namespace earwright::ui
