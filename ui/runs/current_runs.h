#pragma once

#include "ui/runs/run_list_model.h"

#include <QSortFilterProxyModel>

namespace earwright::ui {

/// The runs of a list without those that were archived. GUI thread only.
class CurrentRuns final : public QSortFilterProxyModel {
public:
    CurrentRuns(RunListModel& runs, QObject* parent)
        : QSortFilterProxyModel(parent)
    {
        setSourceModel(&runs);
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        return !sourceModel()->index(row, 0, parent).data(RunListModel::ArchivedRole).toBool();
    }
};

} // namespace earwright::ui
