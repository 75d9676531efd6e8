#pragma once

#include "core/language/difference.h"

#include <QAbstractTableModel>

namespace earwright::ui {

/// What two recipes have otherwise, a setting a row; added green, removed red, changed amber.
class DifferenceModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Path, Left, Right, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setDifferences(std::vector<language::Difference> differences);
    const language::Difference& at(int row) const
    {
        return m_differences[static_cast<size_t>(row)];
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<language::Difference> m_differences;
};

} // namespace earwright::ui
