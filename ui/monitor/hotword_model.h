#pragma once

#include "ui/monitor/hotword_table.h"

#include <QAbstractTableModel>

namespace earwright::ui {

/// A row a phrase of a HotwordTable. Another table of the same phrases keeps the rows.
class HotwordModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Phrase, Training, Spoken, Heard, Right, Recall, Precision, F1, ColumnCount };
    enum Role { SortRole = Qt::UserRole }; ///< number where the column has numbers

    using QAbstractTableModel::QAbstractTableModel;

    void setTable(HotwordTablePtr table); ///< null = none
    const HotwordTablePtr& table() const { return m_table; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    bool hasPhrasesOf(const HotwordTablePtr& other) const;

    HotwordTablePtr m_table;
};

} // namespace earwright::ui
