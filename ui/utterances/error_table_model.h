#pragma once

#include "ui/utterances/error_table.h"

#include <QAbstractTableModel>

namespace earwright::ui {

/// Shows an ErrorTable. GUI thread only.
class ErrorTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        SortRole = Qt::UserRole, ///< the figure where the column has figures
        FilterRole, ///< of any cell: ErrorTable::Row::filter
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setTable(ErrorTablePtr table); ///< null = none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    ErrorTablePtr m_table;
};

} // namespace earwright::ui
