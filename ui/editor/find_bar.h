#pragma once

#include "ui/editor/text_search.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace earwright::ui {

class RecipeEditor;

/// Finds text in an editor as it is typed: Enter next, Shift+Enter previous, Escape closes. With
/// its second row it replaces: Enter there the match in hand, Ctrl+Alt+Enter all, as one undo step.
class FindBar final : public QWidget {
    Q_OBJECT
public:
    FindBar(RecipeEditor* editor, QWidget* parent);

    void open(); ///< with the selected text
    void openReplace();
    void findNext(bool forward = true);
    void replaceOne(); ///< the selected match, then goes to the next
    void replaceAll();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void build();
    void connectParts();
    QToolButton* addOption(const QString& text, const QString& help, const QString& name);
    Search search() const;
    void findFrom(qsizetype caret, bool forward);
    void select(const Match& match);
    bool isSelected(const Match& match) const;
    void say(const QString& text) const;

    RecipeEditor* m_editor;
    QLineEdit* m_text;
    QToolButton* m_matchCase;
    QToolButton* m_wholeWord;
    QToolButton* m_regex;
    QLabel* m_result;
    QWidget* m_replaceRow;
    QLineEdit* m_replacement;
    QPushButton* m_replace;
    QPushButton* m_replaceAll;
};

} // namespace earwright::ui
