#pragma once

#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_form.h"

#include <functional>
#include <QObject>

class QWidget;

namespace earwright::ui {

class InfoBar;
class RecipeFile;
class SwapFile;

/// What is saved of a page's text, and what to do where its file or another program stands against
/// it. GUI thread only.
class RecipeSaving final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        RecipeFile* file;
        SwapFile* swap;
        RecipeEditor* editor;
        CheckedText* text;
        RecipeForm* form;
        InfoBar* bar;
    };
    RecipeSaving(const Parts& parts, QWidget* page);

    /// Until the file has been read there is nothing to edit or save.
    bool isLoaded() const { return m_isLoaded; }
    bool isSaved() const { return !m_of.editor->isModified() && !m_isOnlyHere && !m_isBehindDisk; }
    /// What is on its way from the form into the text counts.
    bool isModified() const { return !isSaved() || m_of.form->isWriting(); }

    void save(); ///< asks instead where another program changed the file meanwhile
    void saveAs(const QString& path);
    void askSaveAs(); ///< for the path
    /// Saves where that is needed, then calls `next` in the GUI thread; not called where saving
    /// fails or a value of the form is refused.
    void saveThen(std::function<void()> next);
    void saveBeforeLeaving(); ///< the one time the disk is waited for
    void countAsSaved();
    void countAsRecovered(); ///< the text is there, the file was never read

Q_SIGNALS:
    void loaded();
    void loadingAgain(); ///< the user asked for it
    void savedChanged();
    void attentionWanted(); ///< the user saved and does not see why that does not work

private:
    void connectParts();
    void countAsLoaded();
    void countAsOnlyHere();
    void overwrite();
    void giveUpSaving();
    void onLoaded(const QString& text);
    void onUnreadable(const QString& message);
    void onSaved(const QString& text);
    void onNotSaved(const QString& path, const QString& message);
    void onChangedOnDisk(const QString& text);
    void onSpoilt(const QString& message);
    void onVanished();
    void onRestored();

    const Parts m_of;
    QWidget* m_page;
    bool m_isLoaded = false;
    bool m_isOnlyHere = false; ///< the file is gone
    bool m_isBehindDisk = false; ///< the file holds a text later than the editor's save point
    bool m_isSaving = false;
    std::function<void()> m_afterSave;
};

} // namespace earwright::ui
