#pragma once

#include <QStyledItemDelegate>

namespace earwright::ui {

/// The form's controls, by the type of the setting: a spin box for whole numbers, a list for
/// choices, a line of text for the rest. (Switches are check boxes of the view itself.)
class FormDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    /// Leaves alone what the user has begun to change.
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(
        QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace earwright::ui
