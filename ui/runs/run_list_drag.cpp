#include "ui/runs/run_list_model.h"

#include <QMimeData>

namespace earwright::ui {
namespace {

const QString kWaitingRun = QStringLiteral("application/x-earwright-waiting-run");

} // namespace

Qt::ItemFlags RunListModel::flags(const QModelIndex& index) const
{
    // Dropped between two rows, never on one.
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid())
        return flags | Qt::ItemIsDropEnabled;
    return index.data(PlaceRole).toInt() > 0 ? flags | Qt::ItemIsDragEnabled : flags;
}

QStringList RunListModel::mimeTypes() const
{
    return { kWaitingRun };
}

QMimeData* RunListModel::mimeData(const QModelIndexList& indexes) const
{
    if (indexes.isEmpty())
        return nullptr;
    auto* data = new QMimeData;
    data->setData(kWaitingRun, indexes.first().data(PathRole).toString().toUtf8());
    return data;
}

bool RunListModel::canDropMimeData(
    const QMimeData* data, Qt::DropAction, int row, int, const QModelIndex& parent) const
{
    const auto waits = [this](int at) { return index(at, 0).data(PlaceRole).toInt() > 0; };
    return data->hasFormat(kWaitingRun) && !parent.isValid() && (waits(row) || waits(row - 1));
}

/// False, so that the view takes no row away.
bool RunListModel::dropMimeData(
    const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent)
{
    if (!canDropMimeData(data, action, row, column, parent))
        return false;
    const QModelIndex dragged = indexOf(QString::fromUtf8(data->data(kWaitingRun)));
    if (dragged.data(PlaceRole).toInt() > 0) {
        const int to = row > dragged.row() ? row - 1 : row;
        Q_EMIT moveRequested(dragged.data(PathRole).toString(), to - dragged.row());
    }
    return false;
}

} // namespace earwright::ui
