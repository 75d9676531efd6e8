#pragma once

#include <QDialog>

class QSortFilterProxyModel;
class QStandardItemModel;

namespace earwright::ui {

class ActionRegistry;

/// The keys of the window's actions, menu by menu. It stays beside the window.
class ShortcutsDialog final : public QDialog {
    Q_OBJECT
public:
    explicit ShortcutsDialog(const ActionRegistry& actions, QWidget* parent = nullptr);

private:
    void fill(const ActionRegistry& actions);
    void build();

    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_filter;
};

} // namespace earwright::ui
