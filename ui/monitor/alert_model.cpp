#include "ui/monitor/alert_model.h"

#include <QApplication>
#include <QPalette>

#include <algorithm>

namespace earwright::ui {

namespace {

bool isSameAlert(const Alert& a, const Alert& b)
{
    return a.tone == b.tone && a.title == b.title && a.detail == b.detail;
}

} // namespace

void AlertModel::setAlerts(std::vector<Alert> alerts)
{
    // A reset loses selection and scroll position: only where there is something new.
    if (std::equal(alerts.begin(), alerts.end(), m_alerts.begin(), m_alerts.end(), isSameAlert))
        return;
    beginResetModel();
    m_alerts = std::move(alerts);
    endResetModel();
}

int AlertModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_alerts.size());
}

QVariant AlertModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Alert& alert = m_alerts[static_cast<size_t>(index.row())];
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return alert.detail.isEmpty() ? alert.title
                                      : alert.title + QLatin1Char('\n') + alert.detail;
    if (role == Qt::ForegroundRole)
        return toneColor(alert.tone, QApplication::palette());
    return {};
}

} // namespace earwright::ui
