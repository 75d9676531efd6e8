#pragma once

#include "ui/utterances/utterance_query.h"

#include <QAbstractTableModel>

namespace earwright::ui {

/// The utterances of an evaluation that a query lets pass, a row each. Filtering and sorting are
/// done in the thread pool, so that typing in front of 100,000 rows is not held up: `shown` says
/// that the latest query is answered. Its rows are new then: utteranceAt() tells which is which.
/// GUI thread only.
class UtteranceModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    using Column = UtteranceRow::Column;

    using QAbstractTableModel::QAbstractTableModel;

    void setUtterances(UtteranceSetPtr set); ///< null = none
    const UtteranceSetPtr& utterances() const { return m_set; }
    void setFilter(const UtteranceFilter& filter);
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    const std::vector<int>& shownRows() const { return m_shown; } ///< indices of the set's rows
    int rowOf(int utterance) const; ///< -1 = not shown
    const UtteranceRow& utteranceAt(int row) const;
    bool isChanging() const { return m_isChanging; } ///< the rows are being replaced

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void shown();

private:
    void ask();
    void show(std::vector<int> rows);

    UtteranceSetPtr m_set;
    UtteranceQuery m_query;
    std::vector<int> m_shown;
    int m_number = 0; ///< of the latest query: answers to others are dropped
    bool m_isChanging = false;
};

/// The rows of these indices, under the columns' names, of all columns but `hidden`. Safe in any
/// thread.
QByteArray utterancesCsv(
    const UtteranceSet& set, const std::vector<int>& shown, const std::vector<int>& hidden);

} // namespace earwright::ui
