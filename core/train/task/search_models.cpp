#include "core/train/task/search_models.h"

namespace earwright::train {

SearchModels loadSearchModels(const settings::SearchSetting& setting, LanguageModels& loaded,
    std::vector<NotLoaded>& problems)
{
    SearchModels models;
    for (const settings::LanguageModelSetting& one : setting.languageModels) {
        if (const auto model = loaded.get(*one.model, one.weights))
            models.languageModels.push_back(*model);
        else
            problems.push_back({ one.place, one.weights, model.error().message });
    }
    if (!setting.ngram)
        return models;
    if (auto ngram = decode::NgramModel::open(setting.ngram->file))
        models.ngram = std::move(*ngram);
    else
        problems.push_back({ setting.ngram->place, setting.ngram->file, ngram.error().message });
    return models;
}

} // namespace earwright::train
