#include "core/train/inspect_search.h"

#include "core/base/file.h"
#include "core/settings/search_setting.h"
#include "core/settings/tree.h"
#include "core/train/task/search_models.h"

namespace earwright::train {

namespace {

void inspectSearch(const recipe::Node& recipe, const recipe::Entry& search, LanguageModels& loaded,
    std::vector<recipe::Diagnostic>& found)
{
    std::vector<recipe::Diagnostic> told;
    const settings::SearchSetting setting = settings::readSearch(recipe, search, told);
    if (recipe::hasErrors(told) || !setting.problem.empty())
        return;
    const bool isOfTest = search.key->text == settings::kTestSearch;
    std::vector<NotLoaded> problems;
    loadSearchModels(setting, loaded, problems);
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
    for (const char* key : { "valid_search", settings::kTestSearch })
        if (const recipe::Entry* search = settings::findEntry(recipe, key);
            search && !recipe::isNull(*search->value))
            inspectSearch(recipe, *search, loaded, found);
}

} // namespace earwright::train
