#pragma once

#include "ui/editor/diagnostics_model.h"
#include "ui/editor/recipe_checker.h"
#include "ui/editor/recipe_file.h"

#include <functional>
#include <optional>
#include <QWidget>

namespace kymo::ui {

class FindBar;
class InfoBar;
class RecipeEditor;
class SwapFile;

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
    bool isModified() const;
    RecipeEditor* editor() const { return m_editor; }
    FindBar* findBar() const { return m_findBar; }
    DiagnosticsModel* problems() const { return m_problems; }
    const CheckResultPtr& latestCheck() const { return m_check; } ///< null before the first

    void setCheckContext(const CheckContext& context) { m_checker->setContext(context); }
    void save();
    void saveAs(const QString& path);
    /// Saves where that is needed, then calls `next` in the GUI thread; not called where saving
    /// fails.
    void saveThen(std::function<void()> next);

    /// The window closes: the one time the disk is waited for.
    void saveBeforeLeaving();
    void discardChanges(); ///< the text stays, but counts as saved

    void goToProblem(int row);
    void goToNextProblem(int direction); ///< +1 or -1 from the caret, around the end
    /// The fix of the problem at the caret, else of the first one on its line; false where none has
    /// one.
    bool applyFixAtCaret();

    ViewState viewState() const;
    /// At once, or when the file has been read.
    void restoreView(const ViewState& state);

    void showMessage(const QString& text);
    SwapFile* swapFile() const { return m_swap; }

Q_SIGNALS:
    void titleChanged();
    void checked();
    void loaded();

private:
    void build();
    void connectParts();
    void onChecked(const CheckResultPtr& result);
    void checkLater();

    // recipe_page_disk.cpp
    void connectDisk();
    void onLoaded(const QString& text);
    void onSaved(const QString& text);
    void onChangedOnDisk(const QString& text);
    void onVanished();
    void countAsSaved();
    void onFailed(const QString& message);
    void offerRecovery(const QString& text);
    void showDifference(const QString& otherName, const QString& otherText);

    RecipeFile* m_file;
    RecipeChecker* m_checker;
    DiagnosticsModel* m_problems;
    InfoBar* m_bar;
    RecipeEditor* m_editor;
    FindBar* m_findBar;
    SwapFile* m_swap;
    CheckResultPtr m_check;
    std::optional<ViewState> m_viewToRestore; ///< until the file has been read
    bool m_isLoaded = false;
    bool m_isOnlyHere = false; ///< the file is gone
    std::function<void()> m_afterSave;
};

} // namespace kymo::ui
