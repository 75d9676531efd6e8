#pragma once

#include "core/run/run_folder.h"

#include <QAbstractTableModel>
#include <QString>
#include <vector>

namespace kymo::ui {

/// The runs of a folder, newest first, as the sidebar shows them. Rows keep their identity (the
/// path) between updates.
class RunListModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, StateColumn, Progress, Precision, Wer, ColumnCount };
    enum Role {
        PathRole = Qt::UserRole + 1,
        StateRole, ///< int of run::State
        ProgressRole, ///< 0..1, -1 = unknown
        DetailRole, ///< "running · bf16 · cpu ×2 · epoch 3"
        ColorRole,
        TitleRole, ///< the name without the time of its start
        TimeRole, ///< of its start: "16:56" today, else "Nov 21"; "" where unknown
    };

    explicit RunListModel(QObject* parent = nullptr);

    void setRuns(std::vector<run::RunSummary> runs);
    const std::vector<run::RunSummary>& runs() const { return m_runs; }
    QModelIndex indexOf(const QString& runPath) const;
    QStringList livePaths() const; ///< of the runs whose supervisor is at work

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void removeVanished(const std::vector<run::RunSummary>& runs);
    void insertNew(const std::vector<run::RunSummary>& runs);

    std::vector<run::RunSummary> m_runs;
};

QString runPathOf(const run::RunSummary& summary);

} // namespace kymo::ui
