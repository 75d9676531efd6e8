#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/swap_file.h"
#include "ui/editor/text_diff_dialog.h"
#include "ui/widgets/info_bar.h"

#include <QFileInfo>

namespace kymo::ui {

void RecipePage::connectDisk()
{
    connect(m_file, &RecipeFile::loaded, this, &RecipePage::onLoaded);
    connect(m_file, &RecipeFile::saved, this, &RecipePage::onSaved);
    connect(m_file, &RecipeFile::failed, this, &RecipePage::onFailed);
    connect(m_file, &RecipeFile::changedOnDisk, this, &RecipePage::onChangedOnDisk);
    connect(m_file, &RecipeFile::vanished, this, &RecipePage::onVanished);
    connect(m_swap, &SwapFile::found, this, &RecipePage::offerRecovery);
    connect(m_editor, &QsciScintilla::textChanged, this, [this] {
        if (isModified())
            m_swap->schedule();
    });
    connect(m_editor, &QsciScintilla::modificationChanged, this, [this](bool isChanged) {
        if (!isChanged && m_isLoaded && !m_isOnlyHere)
            m_swap->remove(); // saved, or undone back to what is
    });
}

void RecipePage::onLoaded(const QString& text)
{
    m_editor->resetText(text);
    const bool isFirst = !std::exchange(m_isLoaded, true);
    if (m_viewToRestore)
        restoreView(*std::exchange(m_viewToRestore, std::nullopt));
    checkLater();
    if (isFirst)
        m_swap->lookUp();
    Q_EMIT loaded();
}

void RecipePage::save()
{
    m_file->save(m_editor->text());
}

void RecipePage::saveAs(const QString& path)
{
    m_file->setPath(path);
    m_swap->setRecipePath(path);
    save();
}

void RecipePage::saveThen(std::function<void()> next)
{
    if (!isModified())
        return next();
    m_afterSave = std::move(next);
    save();
}

void RecipePage::saveBeforeLeaving()
{
    if (!m_file->saveAndWait(m_editor->text()))
        return;
    countAsSaved();
}

void RecipePage::discardChanges()
{
    countAsSaved();
}

void RecipePage::countAsSaved()
{
    m_editor->setModified(false);
    m_isOnlyHere = false;
    m_swap->remove();
}

void RecipePage::onSaved(const QString& text)
{
    // Typing may have gone on while the file was written.
    m_isOnlyHere = false;
    if (m_editor->text() == text)
        countAsSaved();
    Q_EMIT titleChanged();
    checkLater();
    if (const auto next = std::exchange(m_afterSave, {}))
        next();
}

void RecipePage::onFailed(const QString& message)
{
    m_afterSave = {};
    m_bar->showMessage(Tone::Bad, message,
        { { tr("Try again"), [this] { isModified() ? save() : m_file->load(); } } });
}

void RecipePage::onChangedOnDisk(const QString& text)
{
    const auto load = [this, text] {
        m_editor->replaceText(text);
        countAsSaved();
    };
    if (!isModified())
        return load();
    const QString name = QFileInfo(path()).fileName();
    m_bar->showMessage(Tone::Warning,
        tr("%1 was changed by another program. Your version here has unsaved changes.").arg(name),
        { { tr("Load theirs"), load }, { tr("Overwrite with mine"), [this] { save(); } },
            { tr("Show the difference"), [this, text] {
                 showDifference(tr("the file on disk"), text);
                 onChangedOnDisk(text); // the choice is still to be made
             } } });
}

void RecipePage::onVanished()
{
    m_isOnlyHere = true;
    m_swap->schedule();
    Q_EMIT titleChanged();
    m_bar->showMessage(Tone::Warning,
        tr("%1 was removed or renamed by another program. Its text is only here now.")
            .arg(QFileInfo(path()).fileName()),
        { { tr("Save it again"), [this] { save(); } } });
}

void RecipePage::offerRecovery(const QString& text)
{
    if (m_editor->text() == text)
        return m_swap->remove();
    m_bar->showMessage(Tone::Warning,
        tr("Kymo ended before changes to %1 were saved. They can be recovered.")
            .arg(QFileInfo(path()).fileName()),
        { { tr("Recover"), [this, text] { m_editor->replaceText(text); } },
            { tr("Show the difference"),
                [this, text] {
                    showDifference(tr("the unsaved changes"), text);
                    offerRecovery(text); // the choice is still to be made
                } },
            { tr("Discard"), [this] { m_swap->remove(); } } });
}

void RecipePage::showDifference(const QString& otherName, const QString& otherText)
{
    auto* dialog = new TextDiffDialog(
        { tr("the text here"), m_editor->text() }, { otherName, otherText }, this);
    dialog->show();
}

} // namespace kymo::ui
