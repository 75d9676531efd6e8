#pragma once

#include "ui/compare/compare_curves.h"
#include "ui/widgets/plot_export.h"

#include <QElapsedTimer>
#include <QHash>
#include <QTimer>
#include <QWidget>

#include <set>
#include <vector>

class QAction;
class QComboBox;
class QStackedWidget;

namespace earwright::ui {

class CompareModel;
class FigureSort;
class FigureTable;
class PlotBoard;
class SpeedBars;

/// Several runs over each other, live or over: curves, bars of their speed, and a table against a
/// baseline run. GUI thread only.
class ComparePage final : public QWidget {
    Q_OBJECT
public:
    /// `emptyActions`: what the page offers while there is nothing to compare.
    explicit ComparePage(const QList<QAction*>& emptyActions = {}, QWidget* parent = nullptr);

    /// The runs in order, with what is known of them. The first is the baseline until another is
    /// chosen.
    void setRuns(const std::vector<CompareRun>& runs);
    /// A newer snapshot of one of them; of another run it does nothing. What comes close together
    /// is shown at once, some runs at a time, so that thousands keep no frame waiting.
    void setSnapshot(const QString& runPath, const std::shared_ptr<const run::Snapshot>& snapshot);
    bool isUpToDate() const { return m_changed.empty(); } ///< all snapshots are shown
    void setBaseline(const QString& path);
    QString baseline() const;

    [[nodiscard]] Export prepareTableExport(const QString& path); ///< .csv
    /// Every logged point of every run.
    [[nodiscard]] Export preparePointsExport(const QString& path) const;
    /// The report with its verdicts, which take seconds of long texts, by its suffix (report.h).
    /// Says later what came of it.
    void exportReport(const QString& path);
    void openExport(); ///< asks where to

    PlotBoard* board() const { return m_board; }
    CompareModel* model() const { return m_model; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildContent();
    void buildTable();
    void connectParts();
    bool listsBaselines() const; ///< those of m_runs
    void fillBaselines();
    void readOverrides();
    void showRuns();
    void takeSnapshots(size_t most);
    void onUpdate();
    void draw();
    QStringList singleRuns() const;

    QStackedWidget* m_stack;
    PlotBoard* m_board;
    SpeedBars* m_bars;
    QComboBox* m_baseline;
    CompareModel* m_model;
    FigureSort* m_sorted;
    FigureTable* m_table;
    std::vector<CompareRun> m_runs;
    QHash<QString, size_t> m_rowOfRun;
    std::set<size_t> m_changed; ///< rows whose snapshot the model does not have yet
    QStringList m_names; ///< as they were given
    OverridesByPath m_overrides; ///< of the runs that were read, or are being read
    DrawnCurves m_curves;
    XAxis m_axis = XAxis::Step;
    QTimer m_update;
    QElapsedTimer m_sinceDrawn;
};

} // namespace earwright::ui
