#pragma once

#include "core/run/snapshot.h"
#include "ui/monitor/hotword_table.h"

#include <QWidget>

#include <memory>

class QAction;
class QLabel;
class QListView;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace earwright::ui {

class AlertModel;
class ColumnScroll;
class EvaluationPanel;
class HotwordPanel;
class InfoBar;
class PlotBoard;
class RunHeader;

/// One run, live or over: its state, its curves, its evaluations by epoch and its hotwords behind
/// tabs, what went wrong. Shows a snapshot and keeps nothing else. GUI thread only.
class MonitorPage final : public QWidget {
    Q_OBJECT
public:
    enum View { Curves, Evaluations, Hotwords };

    /// `emptyActions`: what the page offers while it shows no run.
    explicit MonitorPage(const QList<QAction*>& emptyActions = {}, QWidget* parent = nullptr);

    /// The run to show from now on; its snapshot may come later. `capsule`: the file that it was
    /// unpacked from, of which no recipe is offered to be changed; "" = none.
    void setRun(const QString& runPath, const QString& capsule = {});
    QString runPath() const { return m_runPath; }
    /// Ignored for another run than the one shown.
    void setSnapshot(const QString& runPath, const std::shared_ptr<const run::Snapshot>& snapshot);
    /// null = the run counts none. Likewise.
    void setHotwords(const QString& runPath, const HotwordTablePtr& hotwords);
    void clear();
    void showView(View view);
    void exportPlots(); ///< asks where to

    PlotBoard* board() const { return m_board; }

Q_SIGNALS:
    void stopRequested();
    void resumeRequested();
    /// The recipe's file, and "batch_size=4", … for it.
    void recipeChangeWanted(const QString& recipePath, const QStringList& settings);
    /// Of the evaluation that wrote this file, those that miss this hotword; "" = all.
    void utterancesWanted(const QString& alignmentsFile, const QString& hotword);

private:
    QWidget* buildContent();
    QWidget* buildError();
    void buildViews();
    void buildAlerts();
    void connectParts();
    void showHotwords(const HotwordTablePtr& hotwords);
    void showAlerts(const run::Snapshot& snapshot);
    void offerSmallerBatches(const std::vector<run::BatchSplit>& splits);

    QStackedWidget* m_stack;
    RunHeader* m_header;
    QTabWidget* m_views;
    PlotBoard* m_board;
    EvaluationPanel* m_evaluations;
    HotwordPanel* m_hotwordPanel;
    QLabel* m_error;
    ColumnScroll* m_errorBox; ///< hidden while there is none
    InfoBar* m_offer;
    QString m_latestFile; ///< of the latest evaluation: the hotwords are counted there
    size_t m_offered = 0; ///< so many batches in parts were told
    AlertModel* m_alerts;
    QToolButton* m_alertToggle; ///< hidden while all is well
    QListView* m_alertView;
    QString m_runPath;
    QString m_capsule;
};

} // namespace earwright::ui
