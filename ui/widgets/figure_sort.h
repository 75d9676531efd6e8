#pragma once

#include <QCollator>
#include <QSortFilterProxyModel>

namespace earwright::ui {

/// Sorts a table by its figures: numbers by value, texts as people do ("run-9" before "run-10").
/// Whichever way it is sorted, figures that are not finite come last, behind them cells without
/// one, both in the model's order. GUI thread only.
class FigureSort final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit FigureSort(QObject* parent = nullptr);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QCollator m_collator;
};

} // namespace earwright::ui
