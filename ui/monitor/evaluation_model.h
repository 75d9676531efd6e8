#pragma once

#include "core/run/snapshot.h"

#include <QAbstractTableModel>

#include <array>
#include <vector>

namespace earwright::ui {

/// The validations and tests of a run, a row each, as they came; of one that a resumed run repeats
/// the newest. The best checkpoint's row is bold. New ones are appended rows.
class EvaluationModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Split,
        Checkpoint, ///< whether a validation is that of the best; what a test is of
        Epoch,
        Step,
        Loss,
        Wer, ///< nothing where the CER counts
        WerInterval, ///< of tests
        Cer,
        CerInterval,
        Recall,
        Precision,
        F1,
        UnseenRecall,
        UnseenPrecision,
        UnseenF1,
        ColumnCount
    };

    enum Role { FileRole = Qt::UserRole }; ///< Evaluated::alignmentsFile

    using QAbstractTableModel::QAbstractTableModel;

    /// Of the run shown before; another one's only after an empty snapshot.
    void setSnapshot(const run::Snapshot& snapshot);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        std::array<QString, ColumnCount> cells;
        int64_t step = 0;
        QString file;
        QString checkpoints; ///< the names of all that a test is the mean of
        bool isBest = false;
        bool isLossFinite = true;
        bool operator==(const Row&) const = default;

        bool isOf(const run::Evaluated& evaluated) const;
        bool isSameEvaluation(const Row& other) const;
    };
    static Row rowOf(const run::Snapshot& snapshot, const run::Evaluated& evaluated);
    static std::vector<Row> rowsOf(const run::Snapshot& snapshot);
    bool isContinuedBy(const std::vector<Row>& rows) const;

    std::vector<Row> m_rows;
};

} // namespace earwright::ui
