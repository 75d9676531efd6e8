#pragma once

#include "core/run/run_folder.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QString>
#include <vector>

namespace earwright::ui {

/// The runs of a folder, in run::listRuns's order, and opened capsules, as the sidebar shows them.
/// Rows keep their identity (the path) between updates. Those that wait in the queue can be dragged
/// among themselves; that only asks (`moveRequested`): the next listing shows it.
class RunListModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, StateColumn, Progress, Precision, Wer, ColumnCount };
    enum Role {
        PathRole = Qt::UserRole + 1,
        StateRole, ///< int of run::State; Queued of one that waits
        ProgressRole, ///< 0..1, -1 = unknown
        DetailRole, ///< "running · bf16 · cpu ×2"
        FigureRole, ///< what it came to: "WER 12.34 %", "CER 4.56 %"; "epoch 3" until then
        ColorRole,
        TitleRole, ///< what the user calls it, else the name without the time of its start
        SharedRole, ///< so many letters of the title another run's begins with too
        TimeRole, ///< of its start: "16:56" today, else "Nov 21"; "" where unknown
        CapsuleRole, ///< path of the file that it was unpacked from; "" = none
        PlaceRole, ///< in the queue, 1 = next; 0 = does not wait
        ArchivedRole, ///< it was archived, and nobody is at work on it, nor does it wait
    };

    explicit RunListModel(QObject* parent = nullptr);

    void setRuns(std::vector<run::RunSummary> runs);
    const std::vector<run::RunSummary>& runs() const { return m_runs; }
    QModelIndex indexOf(const QString& runPath) const;
    QStringList livePaths() const; ///< of the runs whose supervisor is at work
    int numPaused() const; ///< of the live ones
    int numWaiting() const;
    /// The run at work that has a device which this one waits for; "" = none.
    QString blockerOf(const run::RunSummary& waiting) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
        const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
        const QModelIndex& parent) override;

Q_SIGNALS:
    void listed(); ///< runs() are those of the latest listing
    /// A waiting run was dropped so many places further on, or back where negative.
    void moveRequested(const QString& runPath, int places);

private:
    void removeVanished(const std::vector<run::RunSummary>& runs);
    void insertNew(const std::vector<run::RunSummary>& runs);
    QString detail(const run::RunSummary& summary) const;
    QString figure(const run::RunSummary& summary) const;
    QString accessibleText(const run::RunSummary& summary) const;
    QString toolTip(const run::RunSummary& summary) const;

    std::vector<run::RunSummary> m_runs;
    QHash<QString, qsizetype> m_shared; ///< by title
    mutable QHash<QString, int> m_rowOf; ///< by path; empty = to be made when it is asked for
};

QString runPathOf(const run::RunSummary& summary);

} // namespace earwright::ui
