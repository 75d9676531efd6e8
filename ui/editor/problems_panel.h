#pragma once

#include <QPointer>
#include <QWidget>

class QLabel;
class QSortFilterProxyModel;
class QStackedWidget;
class QTreeView;

namespace kymo::ui {

class DiagnosticsModel;

/// The problems of the recipe in front, sorted as the user likes; activating one jumps to it.
class ProblemsPanel final : public QWidget {
    Q_OBJECT
public:
    explicit ProblemsPanel(QWidget* parent = nullptr);

    void setModel(DiagnosticsModel* model); ///< null = no recipe is open
    void takeFocus(); ///< the list gets the keyboard, its first problem where none is current

Q_SIGNALS:
    void problemActivated(int row); ///< of the model, whatever the order shown

private:
    void activate(const QModelIndex& shown);
    void showListOrHint();

    QPointer<DiagnosticsModel> m_model;
    QStackedWidget* m_stack;
    QSortFilterProxyModel* m_sorted;
    QTreeView* m_view;
    QLabel* m_hint;
};

} // namespace kymo::ui
