#pragma once

#include "core/language/completion.h"

#include <QFrame>

class QLabel;
class QListView;

namespace earwright::ui {

class CompletionModel;

/// The list below the caret with the help of the entry in hand beside it. Never takes the focus:
/// keys stay with the text, which hands on those that walk the list.
class CompletionPopup final : public QFrame {
    Q_OBJECT
public:
    explicit CompletionPopup(QWidget* parent);

    /// Below the line at `caret` (global rectangle of the caret), above it where there is no room.
    void showFor(std::vector<language::Completion> completions, const QRect& caret);
    const language::Completion* current() const; ///< null where there is none
    /// Whether the key walks the list (arrows, page keys).
    bool walk(QKeyEvent& event);
    int count() const;

Q_SIGNALS:
    void chosen(); ///< by the mouse

private:
    void showHelp();
    void place(const QRect& caret);

    CompletionModel* m_model;
    QListView* m_list;
    QLabel* m_help;
};

} // namespace earwright::ui
