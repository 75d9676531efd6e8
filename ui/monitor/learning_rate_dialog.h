#pragma once

#include "core/run/snapshot.h"

#include <QDialog>

class QLabel;
class QLineEdit;

namespace earwright::ui {

/// The learning rate of the run's latest step, 0 where there is none.
double learningRateOf(const run::Snapshot& snapshot);

/// Asks for a learning rate above 0. Deletes itself. GUI thread only.
class LearningRateDialog final : public QDialog {
    Q_OBJECT
public:
    /// `now`: what to begin with, 0 = nothing.
    explicit LearningRateDialog(double now, QWidget* parent = nullptr);

    void accept() override; ///< stays open where the text is no rate

Q_SIGNALS:
    void chosen(double rate);

private:
    QLineEdit* m_rate;
    QLabel* m_problem;
};

} // namespace earwright::ui
