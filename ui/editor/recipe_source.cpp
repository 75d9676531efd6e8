#include "ui/editor/recipe_source.h"

#include "core/base/file.h"
#include "core/recipe/resolve.h"
#include "core/run/run_folder.h"

namespace earwright::ui {
namespace {

Result<recipe::NodePtr> resolved(const std::string& text, const std::string& fileName)
{
    const recipe::Resolved result
        = recipe::resolve(text, fileName, {}, { .keepPlaceholders = true });
    if (result.root)
        return recipe::withoutHiddenKeys(*result.root);
    return Error { result.diagnostics.empty()
            ? fileName + " is not a recipe"
            : recipe::formatDiagnostic(result.diagnostics.front(), text) };
}

} // namespace

Result<recipe::NodePtr> resolvedTree(const RecipeSource& source)
{
    const std::string path = source.path.toStdString();
    if (source.kind == RecipeSource::Text)
        return resolved(source.text.toStdString(), path);
    if (source.kind == RecipeSource::Run) {
        const Result<plan::Plan> plan = run::readPlan({ path });
        if (!plan)
            return plan.error();
        return recipe::withoutHiddenKeys(*plan->recipe);
    }
    const Result<std::string> text = readFile(path);
    return text ? resolved(*text, path) : text.error();
}

} // namespace earwright::ui
