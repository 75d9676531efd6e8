#include "ui/editor/difference_dialog.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"
#include "ui/session/main_window.h"

#include <algorithm>
#include <QFileInfo>

namespace earwright::ui {

std::vector<RecipeSource> MainWindow::recipeSources() const
{
    QList<RecipePage*> pages = m_recipes->pages();
    std::stable_partition(pages.begin(), pages.end(),
        [this](const RecipePage* page) { return page == m_recipes->current(); });
    std::vector<RecipeSource> sources;
    for (const RecipePage* page : pages) {
        const QString name = QFileInfo(page->path()).fileName();
        sources.push_back({ .kind = RecipeSource::Text,
            .name = tr("%1 (as it stands)").arg(name),
            .path = page->path(),
            .text = page->editor()->text() });
        sources.push_back({ .kind = RecipeSource::File,
            .name = tr("%1 (as saved)").arg(name),
            .path = page->path() });
    }
    for (const run::RunSummary& run : m_runs->runs())
        if (!isLive(run.state))
            sources.push_back({ .kind = RecipeSource::Run,
                .name = tr("Run %1").arg(QFileInfo(runPathOf(run)).fileName()),
                .path = runPathOf(run) });
    return sources;
}

void MainWindow::compareRecipes()
{
    std::vector<RecipeSource> sources = recipeSources();
    // Unsaved changes are what one asks about first, else another recipe, else the latest run.
    const bool isModified = m_recipes->current()->isModified();
    const int other = sources.size() > 2 ? 2 : 1;
    auto* dialog = new DifferenceDialog(std::move(sources), { isModified ? 1 : other, 0 }, this);
    connect(dialog, &DifferenceDialog::activated, this, [this](const recipe::Span& place) {
        openAt(QString::fromStdString(place.file), place.begin);
    });
    dialog->show();
}

void MainWindow::openAt(const QString& path, recipe::Position place)
{
    openRecipe(path);
    m_recipes->current()->restoreView({ place, std::max(0, place.line - 8) });
}

} // namespace earwright::ui
