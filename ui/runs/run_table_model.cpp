#include "ui/runs/run_table_model.h"

#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"
#include "ui/widgets/plain_tip.h"

#include <QCollator>
#include <QLocale>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <set>

namespace earwright::ui {
namespace {

/// What a row is sorted by: kind first, then within the kind.
struct SortKey {
    enum Kind { Finite, NotFinite, Empty } kind = Empty;
    double number = 0;
    std::optional<QCollatorSortKey> text {};
};

SortKey keyOf(const RunCell& cell, const QCollator& collator)
{
    if (cell.number)
        return { std::isfinite(*cell.number) ? SortKey::Finite : SortKey::NotFinite,
            std::isfinite(*cell.number) ? *cell.number : 0, {} };
    if (cell.text.isEmpty())
        return {};
    return { SortKey::Finite, 0, collator.sortKey(cell.text) };
}

bool isLess(const SortKey& a, const SortKey& b)
{
    if (a.text && b.text)
        return *a.text < *b.text;
    if (bool(a.text) != bool(b.text)) // numbers before words
        return !a.text;
    return a.number < b.number;
}

QCollator peoplesOrder()
{
    QCollator collator(QLocale().language() == QLocale::C ? QLocale(QLocale::English) : QLocale());
    collator.setNumericMode(true);
    collator.setCaseSensitivity(Qt::CaseInsensitive);
    return collator;
}

/// "a, b" -> a, b.
std::vector<std::string> typedTags(const QString& text)
{
    std::vector<std::string> tags;
    for (const QString& tag : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        if (!tag.trimmed().isEmpty())
            tags.push_back(tag.trimmed().toStdString());
    }
    return tags;
}

} // namespace

RunTableModel::RunTableModel(QObject* parent)
    : QAbstractTableModel(parent)
    , m_columns(fixedColumns())
{
}

void RunTableModel::setRuns(const std::vector<run::RunSummary>& runs)
{
    std::vector<RunRow> rows;
    rows.reserve(runs.size());
    QHash<QString, size_t> places;
    for (const run::RunSummary& summary : runs) {
        const QString path = runPathOf(summary);
        places.insert(path, rows.size());
        const RunRow* before = rowOf(path);
        rows.push_back({ summary, before ? before->details : RunDetails() });
    }
    findDifferences(rows);
    const auto staysInPlace = [&](size_t place) {
        const auto now = places.constFind(runPathOf(m_rows[place].summary));
        return now != places.constEnd() && *now == place;
    };
    const bool doAllStay = std::all_of(m_shown.begin(), m_shown.end(), staysInPlace);
    if (!doAllStay)
        beginResetModel();
    m_rows = std::move(rows);
    m_rowOfPath = std::move(places);
    if (doAllStay)
        return arrange();
    m_shown = arranged();
    endResetModel();
}

void RunTableModel::addDetails(const DetailsByPath& details)
{
    for (auto found = details.begin(); found != details.end(); ++found) {
        const auto place = m_rowOfPath.constFind(found.key());
        if (place != m_rowOfPath.constEnd())
            m_rows[*place].details = found.value();
    }
    findDifferences(m_rows);
    arrange();
}

QString RunTableModel::setFilter(const QString& text)
{
    const Result<run::RunFilter> filter = run::RunFilter::parse(text.toStdString());
    if (!filter)
        return QString::fromStdString(filter.error().message);
    m_filter = *filter;
    arrange();
    return {};
}

void RunTableModel::setArchivedShown(bool areShown)
{
    m_areArchivedShown = areShown;
    arrange();
}

void RunTableModel::setColumns(const QStringList& ids)
{
    beginResetModel();
    m_columns = ids;
    endResetModel();
}

QStringList RunTableModel::possibleColumns() const
{
    std::set<std::string> found;
    for (const RunRow& row : m_rows) {
        for (const auto& [tag, value] : row.summary.metrics)
            found.insert(tag);
        for (const auto& [key, value] : row.details.settings.keys)
            found.insert(key);
    }
    QStringList ids;
    for (const std::string& id : found)
        ids << QString::fromStdString(id);
    return ids;
}

int RunTableModel::numHidden() const
{
    return static_cast<int>(m_rows.size() - m_shown.size());
}

const RunRow* RunTableModel::rowOf(const QString& runPath) const
{
    const auto place = m_rowOfPath.constFind(runPath);
    return place == m_rowOfPath.constEnd() ? nullptr : &m_rows[*place];
}

/// Only where other rows are to be seen than before, or in another order, does the view start
/// again.
void RunTableModel::arrange()
{
    std::vector<size_t> shown = arranged();
    if (shown == m_shown) {
        if (!shown.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_shown = std::move(shown);
    endResetModel();
}

std::vector<size_t> RunTableModel::arranged() const
{
    std::vector<size_t> shown;
    for (size_t i = 0; i < m_rows.size(); ++i) {
        const RunRow& row = m_rows[i];
        if ((m_areArchivedShown || !row.summary.notes.isArchived)
            && m_filter.matches(row.summary, row.details.settings))
            shown.push_back(i);
    }
    return sorted(std::move(shown));
}

std::vector<size_t> RunTableModel::sorted(std::vector<size_t> rows) const
{
    if (m_sortColumn.isEmpty())
        return rows;
    const QCollator collator = peoplesOrder();
    std::vector<SortKey> keys(m_rows.size());
    for (const size_t row : rows)
        keys[row] = keyOf(cellOf(m_rows[row], m_sortColumn), collator);
    const bool isDescending = m_sortOrder == Qt::DescendingOrder;
    std::stable_sort(rows.begin(), rows.end(), [&](size_t a, size_t b) {
        if (keys[a].kind != keys[b].kind)
            return keys[a].kind < keys[b].kind;
        return isDescending ? isLess(keys[b], keys[a]) : isLess(keys[a], keys[b]);
    });
    return rows;
}

void RunTableModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = m_columns.value(column);
    m_sortOrder = order;
    arrange();
}

int RunTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RunRow& row = shownRow(index.row());
    const QString& id = m_columns[index.column()];
    switch (role) {
    case Qt::DisplayRole:
        return cellOf(row, id).text;
    case Qt::EditRole:
        return id == QLatin1String("name") ? QString::fromStdString(row.summary.notes.name)
            : id == QLatin1String("note")  ? QString::fromStdString(row.summary.notes.notes)
                                           : cellOf(row, id).text;
    case Qt::ToolTipRole:
        return plainTip(row.summary.notesError.empty()
                ? runPathOf(row.summary)
                : QString::fromStdString(row.summary.notesError));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            (cellOf(row, id).number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return id == QLatin1String("state") ? QVariant(stateColor(row.summary.state, QPalette()))
                                            : QVariant();
    case PathRole:
        return runPathOf(row.summary);
    case ArchivedRole:
        return row.summary.notes.isArchived;
    default:
        return {};
    }
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable))
        return false;
    run::RunNotes notes = shownRow(index.row()).summary.notes;
    const run::RunNotes before = notes;
    const QString& id = m_columns[index.column()];
    if (id == QLatin1String("name"))
        notes.name = value.toString().trimmed().toStdString();
    else if (id == QLatin1String("note"))
        notes.notes = value.toString().toStdString();
    else
        notes.tags = typedTags(value.toString());
    if (notes == before)
        return false;
    Q_EMIT notesEdited(index.data(PathRole).toString(), notes);
    return true;
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid() || !isEditable(m_columns[index.column()]))
        return flags;
    // A capsule's notes would go with it; damaged ones are not overwritten.
    const run::RunSummary& summary = shownRow(index.row()).summary;
    return summary.capsule.empty() && summary.notesError.empty() ? flags | Qt::ItemIsEditable
                                                                 : flags;
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && !m_shown.empty()) // as its figures stand
        return data(index(0, section), role);
    return role == Qt::DisplayRole ? columnTitle(m_columns.value(section)) : QVariant();
}

} // namespace earwright::ui
