#include "ui/editor/find_bar.h"
#include "ui/editor/outline_panel.h"
#include "ui/editor/problems_panel.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/launch/translated.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_controllers.h"
#include "ui/session/window_docks.h"

namespace earwright::ui {
namespace {

/// Adds actions that need a recipe in front and get it.
struct RecipeActions {
    const WindowParts& parts;

    QAction* add(const char* id, const QString& text, const char* icon, const QKeySequence& keys,
        std::function<void(RecipePage&)> run) const
    {
        QAction* made
            = parts.actions->add(id, text, icon, keys, [&all = parts, run = std::move(run)] {
                  if (RecipePage* page = all.recipes->current())
                      run(*page);
              });
        parts.actions->enableWhen(
            { id }, [&all = parts] { return all.recipes->current() != nullptr; });
        return made;
    }
};

void addTextActions(const RecipeActions& actions)
{
    const WindowParts& parts = actions.parts;
    actions.add("file.save", translated("&Save"), "document-save", QKeySequence::Save,
        [](RecipePage& page) { page.save(); });
    actions.add("file.saveAs", translated("Save &As…"), "document-save-as",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [](RecipePage& page) { page.askSaveAs(); });
    actions.add("file.close", translated("&Close Recipe"), "window-close",
        QKeySequence(Qt::CTRL | Qt::Key_W),
        [&parts](RecipePage& page) { parts.recipes->close(&page); });
    actions.add("file.nextTab", translated("Ne&xt Recipe"), "",
        QKeySequence(Qt::CTRL | Qt::Key_PageDown),
        [&parts](RecipePage&) { parts.recipes->showNext(1); });
    actions.add("file.previousTab", translated("Pre&vious Recipe"), "",
        QKeySequence(Qt::CTRL | Qt::Key_PageUp),
        [&parts](RecipePage&) { parts.recipes->showNext(-1); });
    actions.add("edit.undo", translated("&Undo"), "edit-undo", QKeySequence::Undo,
        [](RecipePage& page) { page.editor()->undo(); });
    actions.add("edit.redo", translated("&Redo"), "edit-redo",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
        [](RecipePage& page) { page.editor()->redo(); });
    actions.add("edit.comment", translated("Toggle &Comment"), "",
        QKeySequence(Qt::CTRL | Qt::Key_Slash),
        [](RecipePage& page) { page.editor()->toggleComment(); });
    // The bracket keys give braces while Shift is held: both are named.
    actions
        .add("edit.fold", translated("Fol&d"), "", {},
            [](RecipePage& page) { page.editor()->setFoldedAtCaret(true); })
        ->setShortcuts({ QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_BracketLeft),
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_BraceLeft) });
    actions
        .add("edit.unfold", translated("Unfo&ld"), "", {},
            [](RecipePage& page) { page.editor()->setFoldedAtCaret(false); })
        ->setShortcuts({ QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_BracketRight),
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_BraceRight) });
    actions.add("edit.foldAll", translated("Fold All"), "",
        QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_0),
        [](RecipePage& page) { page.editor()->setAllFolded(true); });
    actions.add("edit.unfoldAll", translated("Unfold All"), "",
        QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_9),
        [](RecipePage& page) { page.editor()->setAllFolded(false); });
}

void addSearchActions(const RecipeActions& actions)
{
    actions.add("edit.find", translated("&Find…"), "edit-find", QKeySequence::Find,
        [](RecipePage& page) { page.findBar()->open(); });
    actions.add("edit.findNext", translated("Find &Next"), "", QKeySequence(Qt::Key_F3),
        [](RecipePage& page) { page.findBar()->findNext(); });
    actions.add("edit.findPrevious", translated("Find Pre&vious"), "",
        QKeySequence(Qt::SHIFT | Qt::Key_F3),
        [](RecipePage& page) { page.findBar()->findNext(false); });
    actions.add("edit.replace", translated("R&eplace…"), "", QKeySequence(Qt::CTRL | Qt::Key_H),
        [](RecipePage& page) { page.findBar()->openReplace(); });
}

void addProblemActions(const RecipeActions& actions)
{
    const WindowParts& parts = actions.parts;
    const auto goTo = [&parts](int direction) {
        return [&parts, direction](RecipePage& page) {
            parts.pages->showPage(RecipePageIndex);
            page.goToNextProblem(direction);
        };
    };
    actions.add(
        "problem.next", translated("Next &Problem"), "go-down", QKeySequence(Qt::Key_F8), goTo(1));
    actions.add("problem.previous", translated("Previous Pro&blem"), "go-up",
        QKeySequence(Qt::SHIFT | Qt::Key_F8), goTo(-1));
    actions.add("problem.list", translated("Go to &the Problems List"), "",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), [&parts](RecipePage&) {
            bringForward(parts.problemsDock);
            parts.problems->takeFocus();
        });
    actions.add("problem.fix", translated("Appl&y the Fix at the Caret"), "tools-wizard",
        QKeySequence(Qt::ALT | Qt::Key_Return), [](RecipePage& page) { page.fixAtCaret(); });
}

void addLanguageActions(const RecipeActions& actions, const ControllersPtr& c)
{
    const WindowParts& parts = actions.parts;
    actions.add("edit.complete", translated("Co&mplete the Word at the Caret"), "",
        QKeySequence(Qt::CTRL | Qt::Key_Space), [](RecipePage& page) { page.complete(); });
    actions.add("edit.explain", translated("E&xplain the Word at the Caret"), "dialog-information",
        QKeySequence(Qt::CTRL | Qt::Key_I), [](RecipePage& page) { page.explainAtCaret(); });
    actions.add("edit.definition", translated("&Go to the Definition"), "",
        QKeySequence(Qt::Key_F12), [](RecipePage& page) { page.goToDefinition(); });
    actions.add("edit.usages", translated("Find U&sages"), "",
        QKeySequence(Qt::SHIFT | Qt::Key_F12), [](RecipePage& page) { page.findUsages(); });
    actions.add("edit.rename", translated("Rename &with All References…"), "",
        QKeySequence(Qt::Key_F2), [](RecipePage& page) { page.renameAtCaret(); });
    QAction* form = actions.add("view.form", translated("F&orm Beside the Text"), "",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), [&parts](RecipePage&) {
            parts.pages->showPage(RecipePageIndex);
            parts.recipes->setFormShown(!parts.recipes->isFormShown());
        });
    form->setCheckable(true);
    actions.add("edit.compare", translated("Compare Rec&ipes…"), "view-split-left-right",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D),
        [&c](RecipePage&) { c->recipes.compare(); });
    actions.add("edit.outline", translated("Go to the &Outline"), "",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), [&parts](RecipePage&) {
            bringForward(parts.outlineDock);
            parts.outline->takeFocus();
        });
}

} // namespace

void addEditActions(const WindowParts& parts, const ControllersPtr& c)
{
    const RecipeActions actions { parts };
    addTextActions(actions);
    addSearchActions(actions);
    addProblemActions(actions);
    addLanguageActions(actions, c);
}

} // namespace earwright::ui
