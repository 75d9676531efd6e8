#pragma once

#include "core/run/snapshot.h"

#include <QStackedWidget>

namespace earwright::ui {

class EvaluationModel;
class FigureTable;

/// The report of a run by epoch: its validations and tests as a table, which follows the end while
/// the end is in view; before the first one, words. GUI thread only.
class EvaluationPanel final : public QStackedWidget {
    Q_OBJECT
public:
    explicit EvaluationPanel(QWidget* parent = nullptr);

    /// An empty snapshot is no run.
    void setSnapshot(const run::Snapshot& snapshot);
    bool isEmpty() const;

Q_SIGNALS:
    void utterancesWanted(const QString& alignmentsFile);

private:
    void askForUtterances();

    EvaluationModel* m_model;
    FigureTable* m_table;
};

} // namespace earwright::ui
