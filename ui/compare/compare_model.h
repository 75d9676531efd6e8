#pragma once

#include "ui/compare/compare_columns.h"
#include "ui/compare/compare_run.h"

#include <QAbstractTableModel>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace earwright::ui {

/// A row a run, a column a figure; figures also show what they are against the baseline run.
class CompareModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        SortRole = Qt::UserRole, ///< number where the column has numbers: sort by this
        PathRole
    };

    explicit CompareModel(QObject* parent = nullptr);

    /// The same runs in the same order keep their rows; only their cells change. A run whose
    /// snapshot is the one before keeps its figures.
    void setRuns(const std::vector<CompareRun>& runs);
    /// Newer snapshots of some of them, by row: what it costs is those rows.
    void setSnapshots(const std::map<size_t, std::shared_ptr<const run::Snapshot>>& snapshots);
    const std::shared_ptr<const run::Snapshot>& snapshot(size_t row) const
    {
        return m_rows[row].run.snapshot;
    }
    /// A run's path; one that is not there means no baseline.
    void setBaseline(const QString& path);
    QString baseline() const { return m_baseline; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        CompareRun run;
        RunFigures figures;
    };
    QVariant nameData(const Row& row, int role) const;
    QVariant figureData(const Row& row, const CompareColumn& column, int role) const;
    std::optional<double> baselineNumber(const CompareColumn& column) const;
    QVariant deltaColor(const Row& row, const CompareColumn& column) const;

    void findBaseline();
    void tellRows(size_t first, size_t last);

    std::vector<Row> m_rows;
    QString m_baseline;
    std::optional<size_t> m_baselineRow;
};

/// The columns that are there only where some run has them.
std::vector<int> columnsHiddenWhenEmpty();

/// The table as CSV: a header and a line a run, in the model's order; numbers plain, deltas and
/// hidden columns left out.
QByteArray tableToCsv(const CompareModel& model);

} // namespace earwright::ui
