#pragma once

#include <QPointer>
#include <QWidget>

class QLabel;
class QStackedWidget;
class QTreeView;

namespace kymo::ui {

class DiagnosticsModel;

/// The problems of the recipe in front; activating one jumps to it.
class ProblemsPanel final : public QWidget {
    Q_OBJECT
public:
    explicit ProblemsPanel(QWidget* parent = nullptr);

    void setModel(DiagnosticsModel* model); ///< null = no recipe is open

Q_SIGNALS:
    void problemActivated(int row);

private:
    void showListOrHint();

    QPointer<DiagnosticsModel> m_model;
    QStackedWidget* m_stack;
    QTreeView* m_view;
    QLabel* m_hint;
};

} // namespace kymo::ui
