#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QsciScintilla;

namespace kymo::ui {

/// Finds text in an editor as it is typed: Enter next, Shift+Enter previous, Escape closes.
class FindBar final : public QWidget {
    Q_OBJECT
public:
    FindBar(QsciScintilla* editor, QWidget* parent);

    void open(); ///< with the selected text
    void findNext(bool forward = true);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void find(bool forward, int line, int index);

    QsciScintilla* m_editor;
    QLineEdit* m_text;
    QLabel* m_result;
};

} // namespace kymo::ui
