#pragma once

#include "core/base/result.h"
#include "core/language/document.h"
#include "core/recipe/diagnostic.h"
#include "ui/editor/form_panel.h"

#include <functional>
#include <QObject>
#include <vector>

namespace earwright::ui {

class CheckedText;
class RecipeEditor;

/// The form beside the text: it shows what the text says and its values are written there. Each is
/// on its way for a moment, until the text has been checked. GUI thread only.
class RecipeForm final : public QObject {
    Q_OBJECT
public:
    RecipeForm(FormPanel* form, RecipeEditor* editor, CheckedText* text, QWidget* page);

    void setShown(bool isShown); ///< shown, it gets the keyboard
    /// "batch_size=4", …: writes them all as one change, or tells why one cannot be written.
    void changeSettings(const QStringList& settings);
    bool isWriting() const { return m_numChanges > 0; }
    /// What is being typed is on its way from now on.
    void takeOpenEdit() const { m_form->takeOpenEdit(); }
    /// Now, or once every change that was asked for is in the text or refused.
    void afterChanges(std::function<void(bool areMade)> next);
    FormPanel* panel() const { return m_form; }

Q_SIGNALS:
    void refused(const QString& why); ///< of changeSettings()
    void referenceFollowed(const earwright::recipe::Span& place);

private:
    void refresh();
    using Edits = Result<std::vector<recipe::Edit>>;
    /// Edits the text as `ask` says; `refuse` gets why that cannot be.
    void change(std::function<Edits(const language::Document&)> ask,
        std::function<void(const QString&)> refuse);
    void setValue(const QString& path, const QString& text);
    void followReference(const QString& path); ///< of the setting that refers
    void showKey(const QString& path); ///< brings it into view, the keyboard stays where it is

    QWidget* m_page;
    FormPanel* m_form;
    RecipeEditor* m_editor;
    CheckedText* m_text;
    int m_numChanges = 0; ///< asked for and not in the text yet
    bool m_wasRefused = false; ///< one of them
    std::vector<std::function<void(bool)>> m_afterChanges;
};

} // namespace earwright::ui
