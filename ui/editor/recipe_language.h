#pragma once

#include "core/language/document.h"
#include "core/recipe/diagnostic.h"
#include "ui/editor/usages_panel.h"

#include <QObject>
#include <vector>

class QWidget;

namespace earwright::ui {

class CheckedText;
class Completer;
class RecipeEditor;
class RecipeFile;

/// What the language knows of the place where the caret is. GUI thread only; answers come a moment
/// later.
class RecipeLanguage final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        RecipeEditor* editor;
        CheckedText* text;
        Completer* completer;
        const RecipeFile* file;
    };
    RecipeLanguage(const Parts& parts, QWidget* page);

    void complete(); ///< offers what may be written at the caret
    void explainAtCaret(); ///< resolved value, help and problems, as a tooltip
    void goToDefinition();
    void goTo(const recipe::Span& place); ///< -> openWanted where it is in another file
    void findUsages(); ///< -> usagesFound, and usagesChanged with each later check
    void forgetUsages(); ///< others are listed
    void renameAtCaret(); ///< asks for the new name in place
    /// The fixes of the problems at the caret or on its line: one is applied, of several the user
    /// chooses in a menu.
    void fixAtCaret();

Q_SIGNALS:
    void usagesFound(const QString& name, const std::vector<earwright::ui::Usage>& usages);
    void usagesChanged(const QString& name, const std::vector<earwright::ui::Usage>& usages);
    void openWanted(const QString& path, earwright::recipe::Position place);

private:
    /// A key whose usages are listed.
    struct Listed {
        std::string key {}; ///< "enc.dropout"; "" = of another file
        QString name {};
        std::vector<recipe::Span> places {};
    };
    void explain(recipe::Position place);
    void showUsages(const Listed& listed);
    void refreshUsages();
    void showRenameBox(const language::DocumentPtr& document, const recipe::Span& name);
    void chooseFix(const std::vector<recipe::Fix>& fixes);
    std::vector<Usage> usagesOf(const std::vector<recipe::Span>& places) const;
    void say(const QString& text); ///< at the caret

    QWidget* m_page;
    RecipeEditor* m_editor;
    CheckedText* m_text;
    Completer* m_completer;
    const RecipeFile* m_file;
    Listed m_listed;
};

} // namespace earwright::ui
