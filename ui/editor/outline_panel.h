#pragma once

#include "ui/editor/outline_model.h"

#include <QSet>
#include <QWidget>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace earwright::ui {

/// The keys of the recipe in front: follows the caret, filters by name, Enter or a click jumps.
class OutlinePanel final : public QWidget {
    Q_OBJECT
public:
    explicit OutlinePanel(QWidget* parent = nullptr);

    void setSymbols(const SymbolsPtr& symbols); ///< null = no recipe is open
    void followCaret(recipe::Position caret);
    void takeFocus(); ///< the filter gets the keyboard

Q_SIGNALS:
    void activated(earwright::recipe::Position place);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void rememberOpen();
    void restoreOpen();
    void onFilter(const QString& text);

    OutlineModel* m_model;
    QSortFilterProxyModel* m_filtered;
    QLineEdit* m_filter;
    QTreeView* m_view;
    QSet<QString> m_open; ///< paths, across a new tree
    recipe::Position m_caret;
};

} // namespace earwright::ui
