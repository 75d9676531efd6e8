#pragma once

#include "core/base/result.h"
#include "ui/editor/diagnostics_model.h"
#include "ui/editor/recipe_checker.h"
#include "ui/editor/recipe_file.h"
#include "ui/editor/swap_file.h"
#include "ui/editor/usages_panel.h"

#include <functional>
#include <optional>
#include <QWidget>

namespace earwright::ui {

class Completer;
class FindBar;
class FormPanel;
class InfoBar;
class RecipeEditor;

/// Where the user was in a recipe.
struct ViewState {
    recipe::Position caret { 1, 1 };
    int firstLine = 0; ///< at the top of the view, 0-based, folded lines not counted
};

/// One open recipe: its text, file and problems. GUI thread only.
class RecipePage final : public QWidget {
    Q_OBJECT
public:
    /// Starts reading the file.
    explicit RecipePage(const QString& path, QWidget* parent = nullptr);

    QString path() const { return m_file->path(); }
    QString title() const; ///< file name, with a star while it holds unsaved changes
    bool isModified() const; ///< what is on its way from the form into the text counts
    void takeOpenEdit() const; ///< what is being typed into the form is on its way from now on
    RecipeEditor* editor() const { return m_editor; }
    FindBar* findBar() const { return m_findBar; }
    DiagnosticsModel* problems() const { return m_problems; }
    const CheckResultPtr& latestCheck() const { return m_check; } ///< null before the first

    void setCheckContext(const CheckContext& context) { m_checker->setContext(context); }
    void save(); ///< asks instead where another program changed the file meanwhile
    void saveAs(const QString& path);
    void askSaveAs(); ///< for the path
    /// Saves where that is needed, then calls `next` in the GUI thread; not called where saving
    /// fails or a value of the form is refused.
    void saveThen(std::function<void()> next);

    /// The window closes: the one time the disk is waited for.
    void saveBeforeLeaving();
    void discardChanges(); ///< the text stays, but counts as saved
    /// The process is told to end: waits until the next one can offer what is not saved.
    void keepUnsaved();

    void goToProblem(int row);
    /// +1 or -1 from the caret, around the end; `least`: past what is less severe.
    void goToNextProblem(int direction, recipe::Severity least = recipe::Severity::Info);

    // What follows asks core/language about the text as it stands, off the GUI thread; the answer
    // comes a moment later.
    void complete(); ///< offers what may be written at the caret
    void explainAtCaret(); ///< resolved value, help and problems, as a tooltip
    void goToDefinition();
    void findUsages(); ///< -> usagesFound
    void renameAtCaret(); ///< asks for the new name in place
    /// The fixes of the problems at the caret or on its line: one is applied, of several the user
    /// chooses in a menu.
    void fixAtCaret();
    /// "batch_size=4", …: writes them all as one change, or tells why one cannot be written.
    void changeSettings(const QStringList& settings);
    /// The form beside the text; shown, it gets the keyboard.
    void setFormShown(bool isShown);
    FormPanel* form() const { return m_form; }
    void goTo(const recipe::Span& place); ///< -> openWanted where it is in another file

    ViewState viewState() const;
    /// At once, or when the file has been read.
    void restoreView(const ViewState& state);

    void showMessage(const QString& text);
    InfoBar* recoveryBar() const { return m_recoveryBar; } ///< offers what a crash left unsaved
    SwapFile* swapFile() const { return m_swap; }
    Completer* completer() const { return m_completer; }

Q_SIGNALS:
    void titleChanged();
    void pathChanged(); ///< by "save as"
    void checked();
    void loaded();
    void caretMoved(earwright::recipe::Position caret);
    void usagesFound(const QString& name, const std::vector<earwright::ui::Usage>& usages);
    /// Another file, or this page where it is out of sight and has something to ask.
    void openWanted(const QString& path, earwright::recipe::Position place);

private:
    void build();
    void connectParts();
    void onChecked(const CheckResultPtr& result);
    void checkLater();

    // recipe_page_language.cpp
    void connectLanguage();
    /// `use` gets the document of the text as it is: now, or when it has been checked.
    void withDocument(std::function<void(const language::DocumentPtr&)> use);
    /// `ask(document)` off the GUI thread, then `use(answer)` in it.
    template <class Ask, class Use>
    void query(Ask ask, Use use);
    void explain(recipe::Position place);
    void showUsages(const std::vector<recipe::Span>& places);
    void showRenameBox(const language::DocumentPtr& document, const recipe::Span& name);
    void chooseFix(const std::vector<recipe::Fix>& fixes);
    std::vector<Usage> usagesOf(const std::vector<recipe::Span>& places) const;
    void say(const QString& text); ///< at the caret

    // recipe_page_form.cpp
    void connectForm();
    void refreshForm();
    using Edits = Result<std::vector<recipe::Edit>>;
    /// Edits the text as `ask` says; `refuse` gets why that cannot be.
    void change(std::function<Edits(const language::Document&)> ask,
        std::function<void(const QString&)> refuse);
    /// Now, or once every change that was asked for is in the text or refused.
    void afterChanges(std::function<void(bool areMade)> next);
    void setValue(const QString& path, const QString& text);
    void followReference(const QString& path); ///< of the setting that refers
    void showKey(const QString& path); ///< brings it into view, the keyboard stays where it is

    // recipe_page_disk.cpp
    void connectDisk();
    QString fileName() const;
    void onLoaded(const QString& text);
    void onUnreadable(const QString& message);
    void onSaved(const QString& text);
    void onNotSaved(const QString& path, const QString& message);
    void onChangedOnDisk(const QString& text);
    void onSpoilt(const QString& message);
    void onVanished();
    void onRestored();
    void overwrite();
    void giveUpSaving();
    void countAsLoaded();
    void countAsSaved();
    void countAsOnlyHere();
    bool isSaved() const;
    void offerRecovery(const LeftText& left);
    void recover(const LeftText& left);
    void showDifference(const QString& otherName, const QString& otherText);

    RecipeFile* m_file;
    RecipeChecker* m_checker;
    DiagnosticsModel* m_problems;
    InfoBar* m_bar;
    InfoBar* m_recoveryBar; ///< its question stays while others come and go
    RecipeEditor* m_editor;
    FindBar* m_findBar;
    FormPanel* m_form;
    Completer* m_completer;
    SwapFile* m_swap;
    CheckResultPtr m_check;
    std::vector<std::function<void(const language::DocumentPtr&)>> m_awaitingDocument;
    std::optional<ViewState> m_viewToRestore; ///< until the file has been read
    bool m_isLoaded = false; ///< until then there is nothing to edit or save
    bool m_isOnlyHere = false; ///< the file is gone
    bool m_isBehindDisk = false; ///< the file holds a text later than the editor's save point
    bool m_isSaving = false;
    std::function<void()> m_afterSave;
    int m_numChanges = 0; ///< asked for and not in the text yet
    bool m_wasRefused = false; ///< one of them
    std::vector<std::function<void(bool)>> m_afterChanges;
};

} // namespace earwright::ui
