#pragma once

#include "core/run/snapshot.h"

#include <QFrame>

#include <array>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;

namespace earwright::ui {

class ElidedLabel;

/// What a run is and how far it is: the name it has in the list of runs, state, recipe, precision
/// and its proof, devices, progress, and the figures one looks for first, in as many rows as it
/// takes.
class RunHeader final : public QFrame {
    Q_OBJECT
public:
    explicit RunHeader(QWidget* parent = nullptr);

    /// A run nothing is known of yet. `capsule`: the file that it was unpacked from; "" = none.
    void setRun(const QString& runPath, const QString& capsule = {});
    void setSnapshot(const QString& runPath, const run::Snapshot& snapshot);

Q_SIGNALS:
    void stopRequested();
    void resumeRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    enum Figure {
        Epoch,
        Step,
        Speed,
        Elapsed,
        Remaining,
        TrainLoss,
        BestWer,
        TestWer,
        FigureCount
    };

    QWidget* buildTitle();
    QWidget* buildFigures();
    QWidget* buildFigure(Figure figure, const QString& caption, const char* name);
    void setName(const QString& runPath);
    QString settingOf(const run::RunStarted& started) const;
    void setState(run::State state);
    void setProgress(const run::Snapshot& snapshot);
    void setFigures(const run::Snapshot& snapshot);
    void showRate(Figure figure, const std::vector<run::Evaluated>& scores,
        const run::Snapshot& snapshot, const QString& caption);
    void recolor();

    QLabel* m_dot;
    ElidedLabel* m_name;
    QLabel* m_state;
    ElidedLabel* m_setting;
    ElidedLabel* m_proof;
    QProgressBar* m_progress;
    QPushButton* m_stop;
    QPushButton* m_resume; ///< in its place once the run has ended too early
    std::array<QLabel*, FigureCount> m_captions {};
    std::array<QLabel*, FigureCount> m_figures {};

    run::State m_shownState = run::State::Unknown;
    bool m_isProofBad = false;
    QString m_runPath;
    QString m_capsule;
};

} // namespace earwright::ui
