#include "ui/editor/find_bar.h"
#include "ui/editor/new_recipe_dialog.h"
#include "ui/editor/outline_panel.h"
#include "ui/editor/problems_panel.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/editor/swap_file.h"
#include "ui/editor/usages_panel.h"
#include "ui/runs/sidebar.h"
#include "ui/session/main_window.h"
#include "ui/widgets/info_bar.h"
#include "ui/widgets/when_done.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QtConcurrentRun>

namespace earwright::ui {

QAction* MainWindow::addRecipeAction(const char* id, const QString& text, const char* icon,
    const QKeySequence& keys, std::function<void(RecipePage&)> run)
{
    m_recipeActions << QString::fromLatin1(id);
    return addAction(id, text, icon, keys, [this, run = std::move(run)] {
        if (RecipePage* page = m_recipes->current())
            run(*page);
    });
}

void MainWindow::addEditActions()
{
    addRecipeAction("file.save", tr("&Save"), "document-save", QKeySequence::Save,
        [](RecipePage& page) { page.save(); });
    addRecipeAction("file.saveAs", tr("Save &As…"), "document-save-as",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [](RecipePage& page) { page.askSaveAs(); });
    addRecipeAction("file.close", tr("&Close Recipe"), "window-close",
        QKeySequence(Qt::CTRL | Qt::Key_W), [this](RecipePage& page) { m_recipes->close(&page); });
    addRecipeAction("file.nextTab", tr("Ne&xt Recipe"), "",
        QKeySequence(Qt::CTRL | Qt::Key_PageDown), [this](RecipePage&) { m_recipes->showNext(1); });
    addRecipeAction("file.previousTab", tr("Pre&vious Recipe"), "",
        QKeySequence(Qt::CTRL | Qt::Key_PageUp), [this](RecipePage&) { m_recipes->showNext(-1); });
    addRecipeAction("edit.undo", tr("&Undo"), "edit-undo", QKeySequence::Undo,
        [](RecipePage& page) { page.editor()->undo(); });
    addRecipeAction("edit.redo", tr("&Redo"), "edit-redo",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
        [](RecipePage& page) { page.editor()->redo(); });
    addRecipeAction("edit.comment", tr("Toggle &Comment"), "",
        QKeySequence(Qt::CTRL | Qt::Key_Slash),
        [](RecipePage& page) { page.editor()->toggleComment(); });
    // The bracket keys give braces while Shift is held: both are named.
    addRecipeAction("edit.fold", tr("Fol&d"), "", {},
        [](RecipePage& page) { page.editor()->setFoldedAtCaret(true); })
        ->setShortcuts({ QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_BracketLeft),
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_BraceLeft) });
    addRecipeAction("edit.unfold", tr("Unfo&ld"), "", {},
        [](RecipePage& page) { page.editor()->setFoldedAtCaret(false); })
        ->setShortcuts({ QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_BracketRight),
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_BraceRight) });
    addRecipeAction("edit.foldAll", tr("Fold All"), "",
        QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_0),
        [](RecipePage& page) { page.editor()->setAllFolded(true); });
    addRecipeAction("edit.unfoldAll", tr("Unfold All"), "",
        QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_9),
        [](RecipePage& page) { page.editor()->setAllFolded(false); });
}

void MainWindow::addSearchActions()
{
    addRecipeAction("edit.find", tr("&Find…"), "edit-find", QKeySequence::Find,
        [](RecipePage& page) { page.findBar()->open(); });
    addRecipeAction("edit.findNext", tr("Find &Next"), "", QKeySequence(Qt::Key_F3),
        [](RecipePage& page) { page.findBar()->findNext(); });
    addRecipeAction("edit.findPrevious", tr("Find Pre&vious"), "",
        QKeySequence(Qt::SHIFT | Qt::Key_F3),
        [](RecipePage& page) { page.findBar()->findNext(false); });
    addRecipeAction("edit.replace", tr("R&eplace…"), "", QKeySequence(Qt::CTRL | Qt::Key_H),
        [](RecipePage& page) { page.findBar()->openReplace(); });
}

void MainWindow::addProblemActions()
{
    const auto goTo = [this](int direction) {
        return [this, direction](RecipePage& page) {
            showPage(RecipePageIndex);
            page.goToNextProblem(direction);
        };
    };
    addRecipeAction(
        "problem.next", tr("Next &Problem"), "go-down", QKeySequence(Qt::Key_F8), goTo(1));
    addRecipeAction("problem.previous", tr("Previous Pro&blem"), "go-up",
        QKeySequence(Qt::SHIFT | Qt::Key_F8), goTo(-1));
    addRecipeAction("problem.list", tr("Go to &the Problems List"), "",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), [this](RecipePage&) {
            m_problemsDock->show();
            m_problemsDock->raise();
            m_problems->takeFocus();
        });
    addRecipeAction("problem.fix", tr("Appl&y the Fix at the Caret"), "tools-wizard",
        QKeySequence(Qt::ALT | Qt::Key_Return), [](RecipePage& page) { page.fixAtCaret(); });
}

void MainWindow::addLanguageActions()
{
    addRecipeAction("edit.complete", tr("Co&mplete the Word at the Caret"), "",
        QKeySequence(Qt::CTRL | Qt::Key_Space), [](RecipePage& page) { page.complete(); });
    addRecipeAction("edit.explain", tr("E&xplain the Word at the Caret"), "dialog-information",
        QKeySequence(Qt::CTRL | Qt::Key_I), [](RecipePage& page) { page.explainAtCaret(); });
    addRecipeAction("edit.definition", tr("&Go to the Definition"), "", QKeySequence(Qt::Key_F12),
        [](RecipePage& page) { page.goToDefinition(); });
    addRecipeAction("edit.usages", tr("Find U&sages"), "", QKeySequence(Qt::SHIFT | Qt::Key_F12),
        [](RecipePage& page) { page.findUsages(); });
    addRecipeAction("edit.rename", tr("Rename &with All References…"), "", QKeySequence(Qt::Key_F2),
        [](RecipePage& page) { page.renameAtCaret(); });
    QAction* form = addRecipeAction("view.form", tr("F&orm Beside the Text"), "",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), [this](RecipePage&) {
            showPage(RecipePageIndex);
            m_recipes->setFormShown(!m_recipes->isFormShown());
        });
    form->setCheckable(true);
    addRecipeAction("edit.compare", tr("Compare Rec&ipes…"), "view-split-left-right",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D), [this](RecipePage&) { compareRecipes(); });
    addRecipeAction("edit.outline", tr("Go to the &Outline"), "",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), [this](RecipePage&) {
            m_outlineDock->show();
            m_outlineDock->raise();
            m_outline->takeFocus();
        });
}

void MainWindow::connectRecipes()
{
    connect(m_recipes, &RecipeTabs::currentChanged, this, &MainWindow::onRecipeChanged);
    connect(m_recipes, &RecipeTabs::pathsChanged, this, [this] {
        if (m_recipes->current())
            noteRecent(m_recipes->current()->path()); // "save as" gives it another
        m_sidebar->setRecipes(m_recipes->paths(), m_recent);
        if (!m_leftBar->isHidden())
            offerLeftRecipes();
    });
    connect(m_recipes, &RecipeTabs::checked, this, &MainWindow::refreshStatus);
    connect(m_problems, &ProblemsPanel::problemActivated, this, [this](int row) {
        showPage(RecipePageIndex);
        m_recipes->current()->goToProblem(row);
    });
    connect(m_recipes, &RecipeTabs::checked, this,
        [this] { m_outline->setSymbols(m_recipes->current()->latestCheck()->symbols); });
    connect(m_recipes, &RecipeTabs::caretMoved, m_outline, &OutlinePanel::followCaret);
    connect(m_outline, &OutlinePanel::activated, this, [this](recipe::Position place) {
        showPage(RecipePageIndex);
        m_recipes->current()->editor()->goTo(place);
    });
    connect(m_recipes, &RecipeTabs::usagesFound, this,
        [this](const QString& name, const std::vector<Usage>& usages) {
            m_usagesDock->show();
            m_usagesDock->raise();
            m_usages->showUsages(name, usages);
        });
    connect(m_usages, &UsagesPanel::activated, this, [this](const recipe::Span& place) {
        openAt(QString::fromStdString(place.file), place.begin);
    });
    connect(m_recipes, &RecipeTabs::openWanted, this, &MainWindow::openAt);
}

void MainWindow::newRecipe()
{
    const QString near = m_recipes->current() ? QFileInfo(m_recipes->current()->path()).path()
                                              : QDir::currentPath();
    auto* dialog = new NewRecipeDialog(near, this);
    connect(dialog, &NewRecipeDialog::created, this, &MainWindow::openRecipe);
    dialog->open();
}

void MainWindow::askForLeftRecipes()
{
    whenDone(QtConcurrent::run([] { return leftTexts(); }), this,
        [this](const std::vector<LeftText>& texts) {
            for (const LeftText& text : texts)
                m_leftRecipes << text.recipePath;
            m_leftRecipes.removeDuplicates();
            offerLeftRecipes();
        });
}

/// Those that are not open here: no page would ever offer them.
void MainWindow::offerLeftRecipes()
{
    QStringList left = m_leftRecipes;
    left.removeIf([this](const QString& path) { return m_recipes->paths().contains(path); });
    if (left.isEmpty())
        return m_leftBar->hide();
    QStringList names;
    for (const QString& path : left)
        names << QFileInfo(path).fileName();
    m_leftBar->showMessage(Tone::Warning,
        tr("Earwright ended before changes to %1 were saved. They can be recovered.")
            .arg(names.join(QStringLiteral(", "))),
        { { left.size() == 1 ? tr("Open It") : tr("Open Them"), [this, left] {
               for (const QString& path : left)
                   openRecipe(path);
           } } });
}

} // namespace earwright::ui
