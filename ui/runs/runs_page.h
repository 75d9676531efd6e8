#pragma once

#include "ui/runs/run_table_model.h"
#include "ui/runs/run_trash.h"

#include <QStringList>
#include <QWidget>

#include <functional>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QTableView;

namespace earwright::ui {

class RunListModel;

/// All runs as a table over the whole width: columns of choice, sorted and filtered; tags, notes
/// and names are typed into it. GUI thread only; notes and the trash are written in the thread
/// pool.
class RunsPage final : public QWidget {
    Q_OBJECT
public:
    /// Follows `runs` while it is shown.
    explicit RunsPage(const RunListModel& runs, QWidget* parent = nullptr);

    RunTableModel* model() const { return m_model; }
    QStringList selectedRuns() const;
    void setColumns(const QStringList& ids);
    QStringList columns() const { return m_model->columns(); }

    void archiveSelected(bool isArchived);
    void trashSelected();
    void undoTrash(); ///< the latest

Q_SIGNALS:
    void runActivated(const QString& runPath);
    void compareRequested(const QStringList& runPaths);
    void runsChanged(); ///< on the disk: the list is out of date

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildBar();
    void buildTable();
    void connectParts();
    void addTableActions();
    void follow();
    void fillColumns();
    void keepSelection();
    void restoreSelection();
    void write(const QStringList& runPaths, const std::function<void(run::RunNotes&)>& edit);
    void onTrashed(const Trashing& trashing);
    void say(const QString& message);
    void fitColumns();
    void tellCount();

    const RunListModel& m_runs;
    RunTableModel* m_model;
    RunDetailsReader* m_details;
    QLineEdit* m_filter;
    QCheckBox* m_archived;
    QMenu* m_columns;
    QTableView* m_table;
    QLabel* m_count;
    QLabel* m_message;
    QPushButton* m_undo;
    QStringList m_selected; ///< while the table starts again
    QString m_current;
    std::vector<Trashed> m_trashed;
};

} // namespace earwright::ui
