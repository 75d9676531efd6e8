#include "ui/launch/overrides_model.h"

#include "core/recipe/override.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/theme.h"

#include <QApplication>

namespace earwright::ui {

QString overrideError(const QString& key, const QString& value)
{
    const auto parsed
        = recipe::parseOverrides({ QStringLiteral("%1=%2").arg(key, value).toStdString() });
    return parsed ? QString() : QString::fromStdString(parsed.error().message);
}

OverridesModel::OverridesModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

QStringList OverridesModel::overrides() const
{
    QStringList all;
    for (const Row& row : m_rows)
        all << row.key + QLatin1Char('=') + row.value;
    return all;
}

void OverridesModel::setOverrides(const QStringList& overrides)
{
    beginResetModel();
    m_rows.clear();
    for (const QString& text : overrides)
        m_rows.push_back(
            { text.section(QLatin1Char('='), 0, 0), text.section(QLatin1Char('='), 1) });
    endResetModel();
    Q_EMIT overridesChanged();
}

int OverridesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size()) + (m_hasBlank ? 1 : 0);
}

int OverridesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant OverridesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const bool isKey = index.column() == Key;
    if (isBlank(index.row())) {
        if (role == Qt::DisplayRole)
            return isKey ? tr("key") : tr("value");
        if (role == Qt::ForegroundRole)
            return QApplication::palette().color(QPalette::PlaceholderText);
        return {};
    }
    const Row& row = m_rows[static_cast<size_t>(index.row())];
    const QString text = row.key + QLatin1Char('=') + row.value;
    const QString error = overrideError(row.key, row.value);
    if (role == Qt::DisplayRole || role == Qt::EditRole)
        return isKey ? row.key : row.value;
    if (role == Qt::ForegroundRole && !error.isEmpty())
        return toneColor(Tone::Bad, QApplication::palette());
    if (role == Qt::ToolTipRole)
        return plainTip(error.isEmpty() ? text : text + QLatin1Char('\n') + error);
    return {};
}

bool OverridesModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    const QString text = value.toString().trimmed();
    if (isBlank(index.row())) {
        if (text.isEmpty())
            return false;
        fillBlank(index.column() == Key ? Row { text, {} } : Row { {}, text });
        return true;
    }
    if (index.column() == Key && text.isEmpty())
        return removeRows(index.row(), 1);
    Row& row = m_rows[static_cast<size_t>(index.row())];
    (index.column() == Key ? row.key : row.value) = text;
    Q_EMIT dataChanged(index.siblingAtColumn(Key), index.siblingAtColumn(Value));
    Q_EMIT overridesChanged();
    return true;
}

/// The blank row becomes a real one and stays where it is, with the view's cursor on it: the new
/// blank row is what comes in.
void OverridesModel::fillBlank(const Row& row)
{
    const int filled = static_cast<int>(m_rows.size());
    m_hasBlank = false;
    m_rows.push_back(row);
    Q_EMIT dataChanged(index(filled, Key), index(filled, Value));
    beginInsertRows({}, filled + 1, filled + 1);
    m_hasBlank = true;
    endInsertRows();
    Q_EMIT overridesChanged();
}

bool OverridesModel::removeRows(int row, int count, const QModelIndex& parent)
{
    if (parent.isValid() || row < 0 || count < 1 || row + count > static_cast<int>(m_rows.size()))
        return false;
    beginRemoveRows({}, row, row + count - 1);
    m_rows.erase(m_rows.begin() + row, m_rows.begin() + row + count);
    endRemoveRows();
    Q_EMIT overridesChanged();
    return true;
}

Qt::ItemFlags OverridesModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() ? flags | Qt::ItemIsEditable : flags;
}

QVariant OverridesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Key ? tr("Key") : tr("Value");
}

} // namespace earwright::ui
