#pragma once

#include "core/language/completion.h"
#include "ui/editor/completion_popup.h"

#include <optional>
#include <QObject>

namespace earwright::ui {

class RecipeEditor;

/// Offers what may be written at the caret: on Ctrl+Space, and by itself while a word is typed and
/// after '<', '!' and ": ". Enter and Tab take the entry in hand, Escape closes. The list is made
/// off the GUI thread; one for a text typed over is dropped. GUI thread only.
class Completer final : public QObject {
    Q_OBJECT
public:
    explicit Completer(RecipeEditor* editor);

    void setDocument(const language::DocumentPtr& document) { m_document = document; }
    /// `asked`: by the user, so that an empty list is said, and one that only repeats what stands
    /// there is shown.
    void complete(bool asked);
    CompletionPopup* popup() const { return m_popup; }

Q_SIGNALS:
    void nothingFound(); ///< the user asked, there is nothing to offer

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Completions = std::vector<language::Completion>;
    struct Offer {
        Completions completions {};
        std::string folder {}; ///< that was looked into for them
        std::vector<std::string> entries {};
    };

    void onLetter(int letter);
    void onMoved();
    void onOffer(Offer offer, bool asked);
    bool onKey(QKeyEvent& event);
    void accept();
    /// The same entry for the text as it is: a letter came after the list was made. None where
    /// nothing of the list may stand there any more.
    std::optional<language::Completion> madeAnew(const language::Completion& chosen) const;
    bool changesNothing(const Completions& completions) const;

    RecipeEditor* m_editor;
    CompletionPopup* m_popup;
    language::DocumentPtr m_document;
    quint64 m_request = 0; ///< of the list that is awaited or shown
    recipe::Position m_caret; ///< that it is for
    bool m_isFresh = false; ///< the list shown is for the text and caret as they are
    std::string m_folder; ///< the list's, as Offer has it
    std::vector<std::string> m_entries;
};

} // namespace earwright::ui
