#pragma once

#include "core/run/run_filter.h"
#include "ui/runs/run_row.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QStringList>

#include <vector>

namespace earwright::ui {

/// The runs that a filter lets through, a row each, in an order that the user chose; a column a
/// figure, a key of the recipe or a metric. Whichever way it is sorted, cells that are no finite
/// number come last, empty ones behind them. Ten thousand runs are filtered and sorted in one go,
/// not cell by cell as a proxy would. GUI thread only.
class RunTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { PathRole = Qt::UserRole + 1, ArchivedRole };

    explicit RunTableModel(QObject* parent = nullptr);

    /// Rows that stay where they are only change their cells.
    void setRuns(const std::vector<run::RunSummary>& runs);
    void addDetails(const DetailsByPath& details);

    /// See run::RunFilter; what is wrong with the text, and then all stays, or "".
    QString setFilter(const QString& text);
    void setArchivedShown(bool areShown);
    void setColumns(const QStringList& ids);
    const QStringList& columns() const { return m_columns; }
    /// Keys and metrics that some run has, for columns beside the fixed ones.
    QStringList possibleColumns() const;
    int numHidden() const; ///< runs that the filter keeps out, archived ones too
    /// null where there is none of that path, shown or not.
    const RunRow* rowOf(const QString& runPath) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    void sort(int column, Qt::SortOrder order) override;

Q_SIGNALS:
    /// A user typed a name, tags or notes; the row shows them with the next listing.
    void notesEdited(const QString& runPath, const earwright::run::RunNotes& notes);

private:
    const RunRow& shownRow(int row) const { return m_rows[m_shown[static_cast<size_t>(row)]]; }
    void arrange();
    std::vector<size_t> arranged() const; ///< what is to be seen of m_rows, in order
    std::vector<size_t> sorted(std::vector<size_t> rows) const;

    std::vector<RunRow> m_rows; ///< as they were listed
    QHash<QString, size_t> m_rowOfPath;
    std::vector<size_t> m_shown; ///< places in m_rows
    QStringList m_columns;
    run::RunFilter m_filter;
    bool m_areArchivedShown = false;
    QString m_sortColumn; ///< "" = as they were listed
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace earwright::ui
