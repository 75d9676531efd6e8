#pragma once

#include "ui/widgets/action_registry.h"

#include <QAbstractTableModel>
#include <QDialog>
#include <QSortFilterProxyModel>

class QLabel;
class QLineEdit;
class QTreeView;

namespace earwright::ui {

/// The actions of a registry as rows: what they do, whether that is on, their keys, their menu. The
/// registry must outlive it.
class ActionModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit ActionModel(const ActionRegistry& actions, QObject* parent = nullptr);
    QAction* actionAt(const QModelIndex& index) const;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    QVariant menuData(const QAction& action, int role) const;

    const ActionRegistry& m_registry;
    QList<QAction*> m_actions;
};

/// Whether the letters of `pattern` begin words of `text` or go on within one, in this order: "stt"
/// finds "Start Training".
bool matchesWords(const QString& pattern, const QString& text);

/// How well a pattern fits: 0 = the text begins with it, 1 = a word of it does, 2 = it or each of
/// its words occurs, 3 = it matches words, 4 = not at all.
int matchRank(const QString& pattern, const QString& text);

/// Type a few letters, Enter runs the action. Of those that fit alike, and of all before the first
/// letter, the order is that of the menus.
class CommandPalette final : public QDialog {
    Q_OBJECT
public:
    explicit CommandPalette(const ActionRegistry& actions, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildView();
    void runCurrent();
    void showMatches();

    ActionModel* m_model;
    QSortFilterProxyModel* m_filter;
    QLineEdit* m_text;
    QTreeView* m_view;
    QLabel* m_noMatch;
};

} // namespace earwright::ui
