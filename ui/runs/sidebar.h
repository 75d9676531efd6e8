#pragma once

#include <QStringList>
#include <QWidget>

class QAbstractItemModel;
class QAction;
class QListView;
class QStandardItemModel;

namespace earwright::ui {

class HintedView;
class QueueBar;
class RunDelegate;
struct QueueHindrance;

/// Recipes (open ones first, then recent ones) above the runs, those that wait among them.
class Sidebar final : public QWidget {
    Q_OBJECT
public:
    /// `runs` is a RunListModel or a filter over one. `runActions` are the context menu of a run;
    /// shortcuts of theirs that belong to a widget work in the list of runs.
    Sidebar(QAbstractItemModel* runs, const QList<QAction*>& runActions, QWidget* parent = nullptr);

    void setRecipes(const QStringList& open, const QStringList& recent);
    void setCurrentRecipe(const QString& path);
    void setHindrance(const QueueHindrance& hindrance);
    void selectRun(const QString& runPath); ///< a run not listed yet is selected as soon as it is
    /// The one of the selected runs that a page shows: where the keyboard is, if that is one.
    QString currentRun() const { return m_currentRun; }
    QStringList selectedRuns() const;
    QSize sizeHint() const override;

Q_SIGNALS:
    void recipeActivated(const QString& path);
    void currentRunChanged(const QString& runPath);
    void runActivated(const QString& runPath);
    void selectedRunsChanged();
    void queueGoOnRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildRecipes();
    QWidget* buildRuns(const QList<QAction*>& runActions);
    void connectRunView();
    void onRunsChanged();
    void onSelectionChanged();
    void setCurrentRun(const QString& runPath);
    void selectOnly(const QModelIndex& run);
    void keepSelection();
    QModelIndex indexOf(const QString& runPath) const;
    void addRecipe(const QString& path, bool isOpen);

    QAbstractItemModel* m_runs;
    QStandardItemModel* m_recipes;
    QListView* m_recipeView;
    QListView* m_runView;
    RunDelegate* m_runDelegate;
    QueueBar* m_queueBar;
    HintedView* m_recipeBox;
    HintedView* m_runBox;
    QString m_currentRun;
    QString m_wantedRun;
};

} // namespace earwright::ui
