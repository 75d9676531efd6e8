#include "ui/utterances/error_table_model.h"

#include "ui/widgets/figure_table.h"
#include "ui/widgets/plain_tip.h"

namespace earwright::ui {

namespace {

QString errorCell(const QVariant& value)
{
    if (value.typeId() == QMetaType::Double)
        return QString::number(value.toDouble(), 'f', 2);
    const QString text = value.toString();
    return text.isEmpty() ? kNoFigure : text;
}

} // namespace

void ErrorTableModel::setTable(ErrorTablePtr table)
{
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int ErrorTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_table ? 0 : static_cast<int>(m_table->rows.size());
}

int ErrorTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_table ? 0 : static_cast<int>(m_table->titles.size());
}

QVariant ErrorTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ErrorTable::Row& row = m_table->rows[static_cast<size_t>(index.row())];
    const QVariant& value = row.cells[index.column()];
    switch (role) {
    case Qt::DisplayRole:
        return errorCell(value);
    case SortRole:
        return value;
    case FilterRole:
        return row.filter;
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    case Qt::ToolTipRole:
        return index.column() < m_table->numTexts ? QVariant(plainTip(value.toString()))
                                                  : QVariant();
    default:
        return {};
    }
}

QVariant ErrorTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return m_table->titles[section];
    if (role != Qt::TextAlignmentRole)
        return {};
    const bool isText = section < m_table->numTexts;
    return QVariant::fromValue(
        Qt::Alignment(isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

} // namespace earwright::ui
