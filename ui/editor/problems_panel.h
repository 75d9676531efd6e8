#pragma once

#include <QPointer>
#include <QWidget>

class QSortFilterProxyModel;
class QTreeView;

namespace earwright::ui {

class DiagnosticsModel;
class HintedView;

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
    QSortFilterProxyModel* m_sorted;
    QTreeView* m_view;
    HintedView* m_hinted;
};

} // namespace earwright::ui
