#pragma once

#include "ui/monitor/alerts.h"

#include <QAbstractListModel>

namespace earwright::ui {

/// Alerts as rows: the title, and below it the detail, in the tone's colour.
class AlertModel final : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    void setAlerts(std::vector<Alert> alerts);
    const std::vector<Alert>& alerts() const { return m_alerts; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::vector<Alert> m_alerts;
};

} // namespace earwright::ui
