#pragma once

#include "ui/compare/compare_run.h"
#include "ui/widgets/plot_export.h"

#include <QWidget>

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

    /// The runs in order; call again with newer snapshots as they come. The first is the baseline
    /// until another is chosen.
    void setRuns(const std::vector<CompareRun>& runs);
    void setBaseline(const QString& path);
    QString baseline() const;

    /// .png and .pdf write the report, .csv the table.
    [[nodiscard]] Export prepareExport(const QString& path) const;
    void openExport(); ///< asks where to

    PlotBoard* board() const { return m_board; }
    CompareModel* model() const { return m_model; }

private:
    QWidget* buildContent();
    void buildTable();
    void connectParts();
    bool listsBaselines() const; ///< those of m_runs
    void fillBaselines();

    QStackedWidget* m_stack;
    PlotBoard* m_board;
    SpeedBars* m_bars;
    QComboBox* m_baseline;
    CompareModel* m_model;
    FigureSort* m_sorted;
    FigureTable* m_table;
    std::vector<CompareRun> m_runs;
};

} // namespace earwright::ui
