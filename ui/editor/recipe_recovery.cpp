#include "ui/editor/recipe_recovery.h"

#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_file.h"
#include "ui/editor/recipe_saving.h"
#include "ui/editor/text_diff_dialog.h"
#include "ui/widgets/info_bar.h"

#include <QFileInfo>

namespace earwright::ui {

RecipeRecovery::RecipeRecovery(const Parts& parts, QWidget* page)
    : QObject(page)
    , m_of(parts)
    , m_page(page)
{
    connect(parts.swap, &SwapFile::found, this, &RecipeRecovery::offer);
    // The question comes again.
    connect(parts.saving, &RecipeSaving::loadingAgain, parts.bar, &QWidget::hide);
}

void RecipeRecovery::offer(const LeftText& left)
{
    if (m_of.saving->isLoaded() && m_of.editor->text() == left.text) {
        if (m_of.saving->isModified())
            return;
        m_of.swap->discard(left.file); // saved since
        return m_of.swap->lookUp();
    }
    const auto discard = [this, left] {
        m_of.swap->discard(left.file);
        m_of.swap->lookUp(); // another may be there
    };
    const auto compare = [this, left] {
        TextDiffDialog::showBeside(
            m_of.editor->text(), { tr("the unsaved changes"), left.text }, m_page);
        offer(left); // the choice is still to be made
    };
    m_of.bar->showMessage(Tone::Warning,
        tr("Earwright ended before changes to %1 were saved. They can be recovered.")
            .arg(QFileInfo(m_of.file->path()).fileName()),
        { { tr("Recover"), [this, left] { recover(left); } },
            { tr("Show the difference"), compare }, { tr("Discard"), discard } });
}

void RecipeRecovery::recover(const LeftText& left)
{
    if (!m_of.saving->isLoaded())
        m_of.saving->countAsRecovered();
    m_of.editor->replaceText(left.text);
    m_of.swap->takeOver(left.file);
    m_of.swap->lookUp(); // another may be there
}

} // namespace earwright::ui
