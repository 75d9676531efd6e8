#pragma once

#include "ui/editor/diagnostics_model.h"
#include "ui/editor/recipe_checker.h"
#include "ui/editor/recipe_file.h"

#include <functional>
#include <QWidget>

namespace kymo::ui {

class FindBar;
class InfoBar;
class RecipeEditor;

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

    void showMessage(const QString& text);

Q_SIGNALS:
    void titleChanged();
    void checked();
    void loaded();

private:
    void build();
    void connectParts();
    void onChecked(const CheckResultPtr& result);
    void onSaved(const QString& text);
    void onChangedOnDisk(const QString& text);
    void onFailed(const QString& message);
    void checkLater();

    RecipeFile* m_file;
    RecipeChecker* m_checker;
    DiagnosticsModel* m_problems;
    InfoBar* m_bar;
    RecipeEditor* m_editor;
    FindBar* m_findBar;
    CheckResultPtr m_check;
    std::function<void()> m_afterSave;
};

} // namespace kymo::ui
