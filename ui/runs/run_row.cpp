#include "ui/runs/run_row.h"

#include "core/run/run_filter.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QHash>
#include <QLocale>

#include <array>
#include <cmath>
#include <limits>

namespace earwright::ui {
namespace {

struct FixedColumn {
    const char* id;
    const char* title;
};
constexpr std::array kFixedColumns {
    FixedColumn { "name", QT_TRANSLATE_NOOP("RunTable", "Run") },
    FixedColumn { "differs", QT_TRANSLATE_NOOP("RunTable", "What differs") },
    FixedColumn { "state", QT_TRANSLATE_NOOP("RunTable", "State") },
    FixedColumn { "started", QT_TRANSLATE_NOOP("RunTable", "Started") },
    FixedColumn { "epoch", QT_TRANSLATE_NOOP("RunTable", "Epoch") },
    FixedColumn { "step", QT_TRANSLATE_NOOP("RunTable", "Steps") },
    FixedColumn { "wer", QT_TRANSLATE_NOOP("RunTable", "Test WER %") },
    FixedColumn { "cer", QT_TRANSLATE_NOOP("RunTable", "Test CER %") },
    FixedColumn { "tags", QT_TRANSLATE_NOOP("RunTable", "Tags") },
    FixedColumn { "note", QT_TRANSLATE_NOOP("RunTable", "Notes") },
    FixedColumn { "size", QT_TRANSLATE_NOOP("RunTable", "Size") },
};

QString fromUtf8(const std::string& text)
{
    return QString::fromStdString(text);
}

QString tagsText(const std::vector<std::string>& tags)
{
    QStringList parts;
    for (const std::string& tag : tags)
        parts << fromUtf8(tag);
    return parts.join(QStringLiteral(", "));
}

/// What runs of one recipe are called alike: one that was never started has its folder's name.
QString recipeOf(const run::RunSummary& summary)
{
    return nameWithoutTime(
        fromUtf8(summary.name.empty() ? summary.folder.path.filename().string() : summary.name));
}

RunCell numberCell(std::optional<double> number, int decimals)
{
    if (!number)
        return {};
    return { std::isfinite(*number) ? QString::number(*number, 'f', decimals)
                                    : QString::number(*number),
        number };
}

RunCell startCell(double startTime)
{
    if (startTime <= 0)
        return {};
    const auto start = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(startTime));
    return { QLocale().toString(start, QStringLiteral("yyyy-MM-dd HH:mm")), startTime };
}

RunCell sizeCell(qint64 bytes)
{
    return bytes < 0 ? RunCell {}
                     : RunCell { QLocale().formattedDataSize(bytes), static_cast<double>(bytes) };
}

/// A metric or a key of the recipe, as written there.
RunCell otherCell(const RunRow& row, const QString& id)
{
    const std::string key = id.toStdString();
    const auto found = row.details.settings.keys.find(key);
    const std::optional<double> number = run::numberOf(row.summary, row.details.settings, key);
    if (found != row.details.settings.keys.end() && !row.summary.metrics.contains(key))
        return { fromUtf8(found->second), number };
    return number ? RunCell { QString::number(*number, 'g', 6), number } : RunCell {};
}

} // namespace

const QStringList& fixedColumns()
{
    static const QStringList kIds = [] {
        QStringList ids;
        for (const FixedColumn& column : kFixedColumns)
            ids << QLatin1String(column.id);
        return ids;
    }();
    return kIds;
}

QString columnTitle(const QString& id)
{
    for (const FixedColumn& column : kFixedColumns) {
        if (id == QLatin1String(column.id))
            return QCoreApplication::translate("RunTable", column.title);
    }
    return id;
}

bool isEditable(const QString& id)
{
    return id == QLatin1String("name") || id == QLatin1String("tags")
        || id == QLatin1String("note");
}

QString titleOf(const RunRow& row)
{
    const run::RunSummary& summary = row.summary;
    if (!summary.notes.name.empty())
        return fromUtf8(summary.notes.name);
    const QString name = recipeOf(summary);
    return row.differs.isEmpty() ? name : name + QStringLiteral(" · ") + row.differs;
}

RunCell cellOf(const RunRow& row, const QString& id)
{
    const run::RunSummary& summary = row.summary;
    const qsizetype fixed = fixedColumns().indexOf(id);
    switch (fixed) {
    case 0:
        return { titleOf(row) };
    case 1:
        return { row.differs };
    case 2:
        return { summary.place > 0 && !run::isLive(summary.state)
                ? QCoreApplication::translate("earwright", "waiting")
                : stateText(summary.state) };
    case 3:
        return startCell(summary.startTime);
    case 4:
    case 5:
        return numberCell(run::numberOf(summary, row.details.settings, id.toStdString()), 0);
    case 6:
    case 7:
        return numberCell(run::numberOf(summary, row.details.settings, id.toStdString()), 2);
    case 8:
        return { tagsText(summary.notes.tags) };
    case 9:
        return { fromUtf8(summary.notes.notes).simplified() };
    case 10:
        return sizeCell(row.details.bytes);
    default:
        return otherCell(row, id);
    }
}

void findDifferences(std::vector<RunRow>& rows)
{
    QHash<QString, std::vector<size_t>> groups;
    for (size_t i = 0; i < rows.size(); ++i)
        groups[recipeOf(rows[i].summary)].push_back(i);
    for (const std::vector<size_t>& group : groups) {
        std::vector<std::vector<std::string>> overrides;
        for (const size_t i : group)
            overrides.push_back(rows[i].details.settings.overrides);
        const std::vector<std::string> differs = run::whatDiffers(overrides);
        for (size_t i = 0; i < group.size(); ++i)
            rows[group[i]].differs = fromUtf8(differs[i]);
    }
}

} // namespace earwright::ui
