#include "ui/editor/difference_model.h"

#include "ui/widgets/plain_tip.h"
#include "ui/widgets/theme.h"

#include <QApplication>

namespace earwright::ui {
namespace {

Tone toneOf(language::Change change)
{
    return change == language::Change::Added  ? Tone::Good
        : change == language::Change::Removed ? Tone::Bad
                                              : Tone::Warning;
}

QString markOf(language::Change change)
{
    return change == language::Change::Added  ? QStringLiteral("+")
        : change == language::Change::Removed ? QStringLiteral("−")
                                              : QStringLiteral("≠");
}

QString changeName(language::Change change)
{
    return change == language::Change::Added  ? DifferenceModel::tr("added")
        : change == language::Change::Removed ? DifferenceModel::tr("removed")
                                              : DifferenceModel::tr("changed");
}

} // namespace

void DifferenceModel::setDifferences(std::vector<language::Difference> differences)
{
    beginResetModel();
    m_differences = std::move(differences);
    endResetModel();
}

int DifferenceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_differences.size());
}

int DifferenceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DifferenceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const language::Difference& difference = at(index.row());
    const std::string& text = index.column() == Path ? difference.path
        : index.column() == Left                     ? difference.left
                                                     : difference.right;
    const QString shown = QString::fromStdString(text);
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Path ? markOf(difference.change) + u' ' + shown
                                      : shown.simplified();
    case Qt::ToolTipRole:
        return plainTip(shown);
    case Qt::AccessibleTextRole:
        return index.column() == Path ? changeName(difference.change) + u' ' + shown : shown;
    case Qt::ForegroundRole:
        return toneColor(toneOf(difference.change), QApplication::palette());
    default:
        return {};
    }
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Path ? tr("Setting") : section == Left ? tr("Left") : tr("Right");
}

} // namespace earwright::ui
