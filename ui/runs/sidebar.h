#pragma once

#include <QStringList>
#include <QWidget>

class QAbstractItemModel;
class QAction;
class QListView;
class QStackedWidget;
class QStandardItemModel;

namespace kymo::ui {

/// Recipes (open ones first, then recent ones) above the runs.
class Sidebar final : public QWidget {
    Q_OBJECT
public:
    /// `runs` is a RunListModel or a filter over one. `runActions` are the context menu of a run.
    Sidebar(QAbstractItemModel* runs, const QList<QAction*>& runActions, QWidget* parent = nullptr);

    void setRecipes(const QStringList& open, const QStringList& recent);
    void setCurrentRecipe(const QString& path);
    void selectRun(const QString& runPath); ///< a run not listed yet is selected as soon as it is
    QString currentRun() const;
    QStringList selectedRuns() const;
    QSize sizeHint() const override;

Q_SIGNALS:
    void recipeActivated(const QString& path);
    void currentRunChanged(const QString& runPath);
    void runActivated(const QString& runPath);
    void selectedRunsChanged();

private:
    QWidget* buildRecipes();
    QWidget* buildRuns(const QList<QAction*>& runActions);
    void onRunsChanged();
    void addRecipe(const QString& path, bool isOpen);

    QAbstractItemModel* m_runs;
    QStandardItemModel* m_recipes;
    QListView* m_recipeView;
    QListView* m_runView;
    QStackedWidget* m_recipeStack;
    QStackedWidget* m_runStack;
    QString m_wantedRun;
};

} // namespace kymo::ui
