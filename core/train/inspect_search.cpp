#include "core/train/inspect_search.h"

#include "core/decode/ngram.h"
#include "core/settings/search_setting.h"
#include "core/settings/tree.h"
#include "core/train/task/load_language_model.h"

namespace earwright::train {

namespace {

class SearchInspector final {
public:
    SearchInspector(const recipe::Node& recipe, std::vector<recipe::Diagnostic>& found)
        : m_recipe(recipe)
        , m_found(found)
    {
    }

    void inspect(const char* key)
    {
        const recipe::Entry* search = settings::findEntry(m_recipe, key);
        if (!search || recipe::isNull(*search->value))
            return;
        std::vector<recipe::Diagnostic> told;
        const settings::SearchSetting setting = settings::readSearch(m_recipe, *search, told);
        if (recipe::hasErrors(told) || !setting.problem.empty())
            return;
        m_isOfTest = std::string_view(key) == settings::kTestSearch;
        for (const settings::LanguageModelSetting& one : setting.languageModels)
            if (const auto model = m_models.get(*one.model, one.weights); !model)
                say(one.place, model.error().message);
        if (setting.ngram)
            if (const auto ngram = decode::NgramModel::open(setting.ngram->file); !ngram)
                say(setting.ngram->place, ngram.error().message);
    }

private:
    void say(const recipe::NodePtr& place, const std::string& message)
    {
        m_found.push_back({ m_isOfTest ? recipe::Severity::Warning : recipe::Severity::Error,
            "search",
            message
                + (m_isOfTest ? "; the training goes on without it, and the test does not" : ""),
            place ? place->span : m_recipe.span, std::nullopt, {} });
    }

    const recipe::Node& m_recipe;
    std::vector<recipe::Diagnostic>& m_found;
    LanguageModels m_models;
    bool m_isOfTest = false;
};

} // namespace

void inspectSearches(const recipe::Node& recipe, std::vector<recipe::Diagnostic>& found)
{
    SearchInspector inspector(recipe, found);
    for (const char* key : { "valid_search", settings::kTestSearch })
        inspector.inspect(key);
}

} // namespace earwright::train
