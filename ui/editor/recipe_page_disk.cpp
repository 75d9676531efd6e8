#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/text_diff_dialog.h"
#include "ui/widgets/info_bar.h"

#include <QFileDialog>
#include <QFileInfo>

namespace earwright::ui {

void RecipePage::connectDisk()
{
    connect(m_file, &RecipeFile::loaded, this, &RecipePage::onLoaded);
    connect(m_file, &RecipeFile::unreadable, this, &RecipePage::onUnreadable);
    connect(m_file, &RecipeFile::saved, this, &RecipePage::onSaved);
    connect(m_file, &RecipeFile::notSaved, this, &RecipePage::onNotSaved);
    connect(m_file, &RecipeFile::changedOnDisk, this, &RecipePage::onChangedOnDisk);
    connect(m_file, &RecipeFile::spoilt, this, &RecipePage::onSpoilt);
    connect(m_file, &RecipeFile::vanished, this, &RecipePage::onVanished);
    connect(m_file, &RecipeFile::restored, this, &RecipePage::onRestored);
    connect(m_file, &RecipeFile::pathChanged, this, [this] {
        m_swap->setRecipePath(path());
        Q_EMIT pathChanged();
    });
    connect(m_swap, &SwapFile::found, this, &RecipePage::offerRecovery);
    connect(m_editor, &QsciScintilla::textChanged, this, [this] {
        if (m_isLoaded && isModified())
            m_swap->schedule();
    });
    connect(m_editor, &QsciScintilla::modificationChanged, this, [this](bool isChanged) {
        if (!isChanged && m_isLoaded && isSaved())
            m_swap->remove(); // saved, or undone back to what is
    });
}

QString RecipePage::fileName() const
{
    return QFileInfo(path()).fileName();
}

void RecipePage::countAsLoaded()
{
    m_isLoaded = true;
    m_editor->setReadOnly(false);
}

void RecipePage::onLoaded(const QString& text)
{
    m_editor->resetText(text);
    countAsLoaded();
    if (m_viewToRestore)
        restoreView(*std::exchange(m_viewToRestore, std::nullopt));
    checkLater();
    m_swap->lookUp();
    Q_EMIT loaded();
}

void RecipePage::onUnreadable(const QString& message)
{
    m_bar->showMessage(Tone::Bad, message, { { tr("Try again"), [this] {
                                                  m_recoveryBar->hide(); // comes again
                                                  m_file->load();
                                              } } });
    m_swap->lookUp(); // what was not saved may be all that there is
}

void RecipePage::save()
{
    afterChanges([this](bool) {
        m_isSaving = m_isLoaded;
        if (m_isLoaded)
            m_file->save(m_editor->text());
    });
}

void RecipePage::saveAs(const QString& path)
{
    afterChanges([this, path](bool) {
        m_isSaving = m_isLoaded;
        if (m_isLoaded)
            m_file->saveAs(path, m_editor->text());
    });
}

void RecipePage::askSaveAs()
{
    auto* dialog
        = new QFileDialog(this, tr("Save the recipe as"), path(), tr("Recipes (*.yaml *.yml)"));
    dialog->setObjectName(QStringLiteral("saveAsDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("yaml"));
    connect(dialog, &QFileDialog::fileSelected, this, &RecipePage::saveAs);
    dialog->open();
}

void RecipePage::saveThen(std::function<void()> next)
{
    afterChanges([this, next = std::move(next)](bool areMade) {
        if (!areMade)
            return; // the form says why
        if (!isModified())
            return next();
        m_afterSave = next;
        save();
    });
}

void RecipePage::saveBeforeLeaving()
{
    m_isSaving = true;
    m_file->saveAndWait(m_editor->text());
}

void RecipePage::discardChanges()
{
    countAsSaved();
}

void RecipePage::keepUnsaved()
{
    if (isModified())
        m_swap->writeAndWait();
}

void RecipePage::countAsSaved()
{
    m_isOnlyHere = false;
    m_isBehindDisk = false;
    m_editor->setModified(false);
    m_swap->remove();
}

void RecipePage::onSaved(const QString& text)
{
    m_isSaving = false;
    m_isOnlyHere = false;
    m_bar->hide();
    m_isBehindDisk = m_editor->text() != text; // typing went on while the file was written
    if (m_isBehindDisk)
        m_swap->schedule();
    else
        countAsSaved();
    Q_EMIT titleChanged();
    checkLater();
    if (const auto next = std::exchange(m_afterSave, {}))
        next();
}

/// Whoever saves sees why that does not work.
void RecipePage::giveUpSaving()
{
    m_afterSave = {};
    if (std::exchange(m_isSaving, false) && !isVisible())
        Q_EMIT openWanted(path(), m_editor->caret());
}

void RecipePage::onNotSaved(const QString& path, const QString& message)
{
    const auto again = [this, path] { path == this->path() ? save() : saveAs(path); };
    m_bar->showMessage(Tone::Bad, message,
        { { tr("Try again"), again }, { tr("Save As…"), [this] { askSaveAs(); } } });
    giveUpSaving();
}

void RecipePage::onChangedOnDisk(const QString& text)
{
    if (text == m_editor->text()) {
        m_file->accept(text);
        return onSaved(text);
    }
    const auto load = [this, text] {
        m_file->accept(text);
        m_editor->replaceText(text);
        m_bar->hide();
        countAsSaved();
    };
    if (!isModified())
        return load();
    m_bar->showMessage(Tone::Warning,
        tr("%1 was changed by another program. Your version here has unsaved changes.")
            .arg(fileName()),
        { { tr("Load theirs"), load }, { tr("Overwrite with mine"), [this] { overwrite(); } },
            { tr("Show the difference"), [this, text] {
                 showDifference(tr("the file on disk"), text);
                 onChangedOnDisk(text); // the choice is still to be made
             } } });
    giveUpSaving();
}

void RecipePage::overwrite()
{
    afterChanges([this](bool) { m_file->overwrite(m_editor->text()); });
}

void RecipePage::countAsOnlyHere()
{
    m_isOnlyHere = true;
    m_swap->schedule();
    Q_EMIT titleChanged();
}

void RecipePage::onSpoilt(const QString& message)
{
    countAsOnlyHere();
    m_bar->showMessage(Tone::Bad,
        tr("%1 was changed by another program and cannot be read any more. Its text is only here "
           "now.\n%2")
            .arg(fileName(), message),
        { { tr("Overwrite with mine"), [this] { overwrite(); } },
            { tr("Save As…"), [this] { askSaveAs(); } } });
    giveUpSaving();
}

void RecipePage::onVanished()
{
    countAsOnlyHere();
    m_bar->showMessage(Tone::Warning,
        tr("%1 was removed or renamed by another program. Its text is only here now.")
            .arg(fileName()),
        { { tr("Save it again"), [this] { save(); } } });
}

void RecipePage::onRestored()
{
    m_bar->hide();
    m_isOnlyHere = false;
    if (isSaved())
        countAsSaved();
    Q_EMIT titleChanged();
}

void RecipePage::offerRecovery(const LeftText& left)
{
    if (m_isLoaded && m_editor->text() == left.text) {
        if (isModified())
            return;
        m_swap->discard(left.file); // saved since
        return m_swap->lookUp();
    }
    const auto discard = [this, left] {
        m_swap->discard(left.file);
        m_swap->lookUp(); // another may be there
    };
    m_recoveryBar->showMessage(Tone::Warning,
        tr("Earwright ended before changes to %1 were saved. They can be recovered.")
            .arg(fileName()),
        { { tr("Recover"), [this, left] { recover(left); } },
            { tr("Show the difference"),
                [this, left] {
                    showDifference(tr("the unsaved changes"), left.text);
                    offerRecovery(left); // the choice is still to be made
                } },
            { tr("Discard"), discard } });
}

void RecipePage::recover(const LeftText& left)
{
    if (!m_isLoaded) {
        countAsLoaded();
        m_isOnlyHere = true;
        m_bar->hide();
    }
    m_editor->replaceText(left.text);
    m_swap->takeOver(left.file);
    m_swap->lookUp(); // another may be there
}

void RecipePage::showDifference(const QString& otherName, const QString& otherText)
{
    auto* dialog = new TextDiffDialog(
        { tr("the text here"), m_editor->text() }, { otherName, otherText }, this);
    dialog->show();
}

} // namespace earwright::ui
