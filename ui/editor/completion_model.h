#pragma once

#include "core/language/completion.h"

#include <QAbstractListModel>
#include <QStyledItemDelegate>

namespace earwright::ui {

/// What may be written at the caret, best first.
class CompletionModel final : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    void setCompletions(std::vector<language::Completion> completions);
    const language::Completion& at(int row) const
    {
        return m_completions[static_cast<size_t>(row)];
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::vector<language::Completion> m_completions;
};

/// "Key", "Class" … as the list says it to those who cannot see its marks.
QString completionKindName(language::CompletionKind kind);

/// One line: a mark for the kind, the name, its detail at the right in grey.
class CompletionDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace earwright::ui
