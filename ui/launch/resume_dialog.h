#pragma once

#include <cstdint>
#include <QDialog>
#include <QStringList>

class QLabel;
class QLineEdit;
class QSpinBox;

namespace earwright::ui {

/// Asks what a run is to go on with: more epochs, and other settings that a resume may change, as
/// `earwright resume` takes them. Deletes itself. GUI thread only.
class ResumeDialog final : public QDialog {
    Q_OBJECT
public:
    /// `epochs` that the run was started for; `reached` of them cannot be taken back.
    ResumeDialog(int64_t epochs, int64_t reached, QWidget* parent = nullptr);

    void accept() override; ///< stays open where the other settings are none

Q_SIGNALS:
    /// "--number_of_epochs=20"; none where nothing is to change.
    void chosen(const QStringList& settings);

private:
    QSpinBox* m_epochs;
    QLineEdit* m_others;
    QLabel* m_problem;
    const int m_before;
};

} // namespace earwright::ui
