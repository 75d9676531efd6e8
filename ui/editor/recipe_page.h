#pragma once

#include "ui/editor/checked_text.h"
#include "ui/editor/diagnostics_model.h"
#include "ui/editor/recipe_file.h"
#include "ui/editor/recipe_form.h"
#include "ui/editor/recipe_language.h"
#include "ui/editor/recipe_saving.h"
#include "ui/editor/swap_file.h"

#include <functional>
#include <optional>
#include <QWidget>
#include <utility>

namespace earwright::ui {

class FindBar;

/// Where the user was in a recipe.
struct ViewState {
    recipe::Position caret { 1, 1 };
    int firstLine = 0; ///< at the top of the view, 0-based, folded lines not counted
};

/// One open recipe: its text, file and problems. It puts the parts together, which do the rest. GUI
/// thread only.
class RecipePage final : public QWidget {
    Q_OBJECT
public:
    /// Starts reading the file.
    explicit RecipePage(const QString& path, QWidget* parent = nullptr);

    QString path() const { return m_file->path(); }
    QString title() const; ///< file name, with a star while it holds unsaved changes
    RecipeEditor* editor() const { return m_editor; }
    FindBar* findBar() const { return m_findBar; }
    DiagnosticsModel* problems() const { return m_problems; }
    FormPanel* form() const { return m_form->panel(); }
    InfoBar* recoveryBar() const { return m_recoveryBar; } ///< offers what a crash left unsaved
    SwapFile* swapFile() const { return m_swap; }
    Completer* completer() const { return m_completer; }

    // CheckedText.
    const CheckResultPtr& latestCheck() const { return m_text->latest(); }
    void setCheckContext(const CheckContext& context) { m_text->setContext(context); }

    // RecipeSaving.
    bool isModified() const { return m_saving->isModified(); }
    void save() { m_saving->save(); }
    void saveAs(const QString& path) { m_saving->saveAs(path); }
    void askSaveAs() { m_saving->askSaveAs(); }
    void saveThen(std::function<void()> next) { m_saving->saveThen(std::move(next)); }
    void saveBeforeLeaving() { m_saving->saveBeforeLeaving(); }
    void discardChanges() { m_saving->countAsSaved(); } ///< the text stays
    /// The process is told to end: waits until the next one can offer what is not saved.
    void keepUnsaved();

    // RecipeLanguage.
    void complete() { m_language->complete(); }
    void explainAtCaret() { m_language->explainAtCaret(); }
    void goToDefinition() { m_language->goToDefinition(); }
    void findUsages() { m_language->findUsages(); }
    void forgetUsages() { m_language->forgetUsages(); }
    void renameAtCaret() { m_language->renameAtCaret(); }
    void fixAtCaret() { m_language->fixAtCaret(); }

    // RecipeForm.
    void setFormShown(bool isShown) { m_form->setShown(isShown); }
    void changeSettings(const QStringList& settings) { m_form->changeSettings(settings); }
    void takeOpenEdit() const { m_form->takeOpenEdit(); }

    void goToProblem(int row);
    /// +1 or -1 from the caret, around the end; `least`: past what is less severe.
    void goToNextProblem(int direction, recipe::Severity least = recipe::Severity::Info);

    ViewState viewState() const;
    /// At once, or when the file has been read.
    void restoreView(const ViewState& state);

Q_SIGNALS:
    void titleChanged();
    void pathChanged(); ///< by "save as"
    void checked();
    void loaded();
    void caretMoved(earwright::recipe::Position caret);
    void usagesFound(const QString& name, const std::vector<earwright::ui::Usage>& usages);
    void usagesChanged(const QString& name, const std::vector<earwright::ui::Usage>& usages);
    /// Another file, or this page where it is out of sight and has something to ask.
    void openWanted(const QString& path, earwright::recipe::Position place);

private:
    void build();
    void connectParts();
    void connectTold();
    void onLoaded();
    void onChanged(const CheckResultPtr& check);

    RecipeFile* m_file;
    DiagnosticsModel* m_problems;
    InfoBar* m_bar;
    InfoBar* m_recoveryBar;
    RecipeEditor* m_editor;
    FindBar* m_findBar;
    CheckedText* m_text;
    RecipeForm* m_form;
    Completer* m_completer;
    SwapFile* m_swap;
    RecipeSaving* m_saving;
    RecipeLanguage* m_language;
    std::optional<ViewState> m_viewToRestore; ///< until the file has been read
};

} // namespace earwright::ui
