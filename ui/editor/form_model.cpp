#include "ui/editor/form_model.h"

#include "ui/editor/form_text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QApplication>
#include <QFont>

namespace earwright::ui {

bool FormModel::hasSameTitles(const std::vector<language::FormSection>& other) const
{
    return std::equal(m_sections.begin(), m_sections.end(), other.begin(), other.end(),
        [](const auto& a, const auto& b) { return a.title == b.title; });
}

void FormModel::setSections(std::vector<language::FormSection> sections)
{
    if (!hasSameTitles(sections)) {
        beginResetModel();
        m_sections = std::move(sections);
        endResetModel();
        return;
    }
    for (size_t i = 0; i < sections.size(); ++i)
        updateRows(static_cast<int>(i), std::move(sections[i].rows));
}

void FormModel::updateRows(int section, std::vector<language::FormRow> rows)
{
    std::vector<language::FormRow>& old = m_sections[static_cast<size_t>(section)].rows;
    const auto samePath = [](const auto& a, const auto& b) { return a.path == b.path; };
    const QModelIndex parent = index(section, 0);
    const auto head = static_cast<int>(
        std::mismatch(old.begin(), old.end(), rows.begin(), rows.end(), samePath).first
        - old.begin());
    const auto tail = static_cast<int>(
        std::mismatch(old.rbegin(), old.rend() - head, rows.rbegin(), rows.rend() - head, samePath)
            .first
        - old.rbegin());
    const int removed = static_cast<int>(old.size()) - head - tail;
    const int added = static_cast<int>(rows.size()) - head - tail;
    if (removed > 0) {
        beginRemoveRows(parent, head, head + removed - 1);
        old.erase(old.begin() + head, old.begin() + head + removed);
        endRemoveRows();
    }
    if (added > 0) {
        beginInsertRows(parent, head, head + added - 1);
        old.insert(old.begin() + head, rows.begin() + head, rows.begin() + head + added);
        endInsertRows();
    }
    old = std::move(rows);
    if (!old.empty())
        Q_EMIT dataChanged(
            index(0, 0, parent), index(static_cast<int>(old.size()) - 1, ColumnCount - 1, parent));
}

const language::FormRow* FormModel::rowAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return nullptr;
    return &m_sections[index.internalId() - 1].rows[static_cast<size_t>(index.row())];
}

QModelIndex FormModel::find(const QString& path) const
{
    const std::string wanted = path.toStdString();
    for (int section = 0; section < rowCount(); ++section) {
        const auto& rows = m_sections[static_cast<size_t>(section)].rows;
        const auto found = std::find_if(
            rows.begin(), rows.end(), [&](const auto& row) { return row.path == wanted; });
        if (found != rows.end())
            return index(static_cast<int>(found - rows.begin()), Value, index(section, 0));
    }
    return {};
}

QModelIndex FormModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || row >= rowCount(parent) || column < 0 || column >= ColumnCount)
        return {};
    return createIndex(
        row, column, parent.isValid() ? static_cast<quintptr>(parent.row() + 1) : quintptr { 0 });
}

QModelIndex FormModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == 0)
        return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, quintptr { 0 });
}

int FormModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_sections.size());
    if (parent.internalId() != 0 || parent.column() > 0)
        return 0;
    return static_cast<int>(m_sections[static_cast<size_t>(parent.row())].rows.size());
}

int FormModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant FormModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const language::FormRow* row = rowAt(index);
    if (!row) {
        const std::string& title = m_sections[static_cast<size_t>(index.row())].title;
        if (role == Qt::DisplayRole && index.column() == Setting)
            return title.empty() ? tr("General") : QString::fromStdString(title);
        return formSectionData(role);
    }
    return formRowData(*row, index.column(), role);
}

bool FormModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const language::FormRow* row = rowAt(index);
    if (!row || index.column() != Value)
        return false;
    if (role == Qt::CheckStateRole)
        Q_EMIT edited(QString::fromStdString(row->path),
            value.toInt() == Qt::Checked ? QStringLiteral("True") : QStringLiteral("False"));
    else if (role == Qt::EditRole && value.toString() != QString::fromStdString(row->text))
        Q_EMIT edited(QString::fromStdString(row->path), value.toString());
    return role == Qt::CheckStateRole || role == Qt::EditRole;
}

Qt::ItemFlags FormModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const language::FormRow* row = rowAt(index);
    Qt::ItemFlags flags = Qt::ItemIsEnabled | (row ? Qt::ItemIsSelectable : Qt::NoItemFlags);
    if (row && index.column() == Value && !row->isReference && row->isEditable)
        flags |= isSwitch(*row) ? Qt::ItemIsUserCheckable : Qt::ItemIsEditable;
    return flags;
}

QVariant FormModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString names[] = { tr("Setting"), tr("Value"), tr("Unit"), tr("About") };
    return names[section];
}

} // namespace earwright::ui
