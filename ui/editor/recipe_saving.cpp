#include "ui/editor/recipe_saving.h"

#include "ui/editor/checked_text.h"
#include "ui/editor/recipe_file.h"
#include "ui/editor/swap_file.h"
#include "ui/editor/text_diff_dialog.h"
#include "ui/widgets/info_bar.h"

#include <QFileDialog>
#include <QFileInfo>
#include <utility>

namespace earwright::ui {
namespace {

QString nameOf(const RecipeFile& file)
{
    return QFileInfo(file.path()).fileName();
}

} // namespace

RecipeSaving::RecipeSaving(const Parts& parts, QWidget* page)
    : QObject(page)
    , m_of(parts)
    , m_page(page)
{
    parts.editor->setReadOnly(true);
    connectParts();
}

void RecipeSaving::connectParts()
{
    connect(m_of.file, &RecipeFile::loaded, this, &RecipeSaving::onLoaded);
    connect(m_of.file, &RecipeFile::unreadable, this, &RecipeSaving::onUnreadable);
    connect(m_of.file, &RecipeFile::saved, this, &RecipeSaving::onSaved);
    connect(m_of.file, &RecipeFile::notSaved, this, &RecipeSaving::onNotSaved);
    connect(m_of.file, &RecipeFile::changedOnDisk, this, &RecipeSaving::onChangedOnDisk);
    connect(m_of.file, &RecipeFile::spoilt, this, &RecipeSaving::onSpoilt);
    connect(m_of.file, &RecipeFile::vanished, this, &RecipeSaving::onVanished);
    connect(m_of.file, &RecipeFile::restored, this, &RecipeSaving::onRestored);
    connect(m_of.editor, &QsciScintilla::textChanged, this, [this] {
        if (m_isLoaded && isModified())
            m_of.swap->schedule();
    });
    connect(m_of.editor, &QsciScintilla::modificationChanged, this, [this](bool isChanged) {
        if (!isChanged && m_isLoaded && isSaved())
            m_of.swap->remove(); // saved, or undone back to what is
    });
}

void RecipeSaving::countAsLoaded()
{
    m_isLoaded = true;
    m_of.editor->setReadOnly(false);
}

void RecipeSaving::countAsRecovered()
{
    countAsLoaded();
    m_isOnlyHere = true;
    m_of.bar->hide();
}

void RecipeSaving::onLoaded(const QString& text)
{
    m_of.editor->resetText(text);
    countAsLoaded();
    m_of.text->checkLater();
    m_of.swap->lookUp();
    Q_EMIT loaded();
}

void RecipeSaving::onUnreadable(const QString& message)
{
    m_of.bar->showMessage(Tone::Bad, message, { { tr("Try again"), [this] {
                                                     Q_EMIT loadingAgain();
                                                     m_of.file->load();
                                                 } } });
    m_of.swap->lookUp(); // what was not saved may be all that there is
}

void RecipeSaving::save()
{
    m_of.form->afterChanges([this](bool) {
        m_isSaving = m_isLoaded;
        if (m_isLoaded)
            m_of.file->save(m_of.editor->text());
    });
}

void RecipeSaving::saveAs(const QString& path)
{
    m_of.form->afterChanges([this, path](bool) {
        m_isSaving = m_isLoaded;
        if (m_isLoaded)
            m_of.file->saveAs(path, m_of.editor->text());
    });
}

void RecipeSaving::askSaveAs()
{
    auto* dialog = new QFileDialog(
        m_page, tr("Save the recipe as"), m_of.file->path(), tr("Recipes (*.yaml *.yml)"));
    dialog->setObjectName(QStringLiteral("saveAsDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("yaml"));
    connect(dialog, &QFileDialog::fileSelected, this, &RecipeSaving::saveAs);
    dialog->open();
}

void RecipeSaving::saveThen(std::function<void()> next)
{
    m_of.form->afterChanges([this, next = std::move(next)](bool areMade) {
        if (!areMade)
            return; // the form says why
        if (!isModified())
            return next();
        m_afterSave = next;
        save();
    });
}

void RecipeSaving::saveBeforeLeaving()
{
    m_isSaving = true;
    m_of.file->saveAndWait(m_of.editor->text());
}

void RecipeSaving::countAsSaved()
{
    m_isOnlyHere = false;
    m_isBehindDisk = false;
    m_of.editor->setModified(false);
    m_of.swap->remove();
}

void RecipeSaving::onSaved(const QString& text)
{
    m_isSaving = false;
    m_isOnlyHere = false;
    m_of.bar->hide();
    m_isBehindDisk = m_of.editor->text() != text; // typing went on while the file was written
    if (m_isBehindDisk)
        m_of.swap->schedule();
    else
        countAsSaved();
    Q_EMIT savedChanged();
    m_of.text->checkLater();
    if (const auto next = std::exchange(m_afterSave, {}))
        next();
}

/// Whoever saves sees why that does not work.
void RecipeSaving::giveUpSaving()
{
    m_afterSave = {};
    if (std::exchange(m_isSaving, false) && !m_page->isVisible())
        Q_EMIT attentionWanted();
}

void RecipeSaving::onNotSaved(const QString& path, const QString& message)
{
    const auto again = [this, path] { path == m_of.file->path() ? save() : saveAs(path); };
    m_of.bar->showMessage(Tone::Bad, message,
        { { tr("Try again"), again }, { tr("Save As…"), [this] { askSaveAs(); } } });
    giveUpSaving();
}

void RecipeSaving::onChangedOnDisk(const QString& text)
{
    if (text == m_of.editor->text()) {
        m_of.file->accept(text);
        return onSaved(text);
    }
    const auto load = [this, text] {
        m_of.file->accept(text);
        m_of.editor->replaceText(text);
        m_of.bar->hide();
        countAsSaved();
    };
    if (!isModified())
        return load();
    m_of.bar->showMessage(Tone::Warning,
        tr("%1 was changed by another program. Your version here has unsaved changes.")
            .arg(nameOf(*m_of.file)),
        { { tr("Load theirs"), load }, { tr("Overwrite with mine"), [this] { overwrite(); } },
            { tr("Show the difference"), [this, text] {
                 TextDiffDialog::showBeside(
                     m_of.editor->text(), { tr("the file on disk"), text }, m_page);
                 onChangedOnDisk(text); // the choice is still to be made
             } } });
    giveUpSaving();
}

void RecipeSaving::overwrite()
{
    m_of.form->afterChanges([this](bool) { m_of.file->overwrite(m_of.editor->text()); });
}

void RecipeSaving::countAsOnlyHere()
{
    m_isOnlyHere = true;
    m_of.swap->schedule();
    Q_EMIT savedChanged();
}

void RecipeSaving::onSpoilt(const QString& message)
{
    countAsOnlyHere();
    m_of.bar->showMessage(Tone::Bad,
        tr("%1 was changed by another program and cannot be read any more. Its text is only here "
           "now.\n%2")
            .arg(nameOf(*m_of.file), message),
        { { tr("Overwrite with mine"), [this] { overwrite(); } },
            { tr("Save As…"), [this] { askSaveAs(); } } });
    giveUpSaving();
}

void RecipeSaving::onVanished()
{
    countAsOnlyHere();
    m_of.bar->showMessage(Tone::Warning,
        tr("%1 was removed or renamed by another program. Its text is only here now.")
            .arg(nameOf(*m_of.file)),
        { { tr("Save it again"), [this] { save(); } } });
}

void RecipeSaving::onRestored()
{
    m_of.bar->hide();
    m_isOnlyHere = false;
    if (isSaved())
        countAsSaved();
    Q_EMIT savedChanged();
}

} // namespace earwright::ui
