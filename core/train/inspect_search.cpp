#include "core/train/inspect_search.h"

#include "core/base/file.h"
#include "core/settings/search_setting.h"
#include "core/train/task/search_models.h"

namespace earwright::train {

namespace {

void inspectSearch(const recipe::Node& recipe, const settings::ReadSearch& search,
    LanguageModels& loaded, std::vector<recipe::Diagnostic>& found)
{
    if (recipe::hasErrors(search.found) || !search.setting.problem.empty())
        return;
    const bool isOfTest = search.entry->key->text == settings::kTestSearch;
    std::vector<NotLoaded> problems;
    loadSearchModels(search.setting, loaded, problems);
    for (const auto& [place, file, why] : problems)
        if (isFile(file))
            found.push_back({ isOfTest ? recipe::Severity::Warning : recipe::Severity::Error,
                "search", isOfTest ? settings::untestable(why) : why,
                place ? place->span : recipe.span, std::nullopt, {} });
}

} // namespace

void inspectSearches(const recipe::Node& recipe, std::vector<recipe::Diagnostic>& found)
{
    LanguageModels loaded;
    const settings::DecodeSettings decode = settings::decodeSettings(recipe);
    for (const settings::ReadSearch& search : decode.searches)
        inspectSearch(recipe, search, loaded, found);
}

} // namespace earwright::train
