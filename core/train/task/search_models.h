#pragma once

#include "core/decode/ngram.h"
#include "core/settings/search_setting.h"
#include "core/train/task/load_language_model.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace earwright::train {

/// A file of a search's scorer that could not be loaded.
struct NotLoaded {
    recipe::NodePtr place; ///< the scalar that names it; may be null
    std::filesystem::path file;
    std::string why; ///< names the file
};

/// What the scorers of a search ask.
struct SearchModels {
    std::vector<std::shared_ptr<model::LanguageModel>> languageModels; ///< in the setting's order
    std::shared_ptr<const decode::NgramModel> ngram; ///< null where there is none
};

/// Loads them all; what cannot be is left out and added to `problems`.
SearchModels loadSearchModels(const settings::SearchSetting& setting, LanguageModels& loaded,
    std::vector<NotLoaded>& problems);

} // namespace earwright::train
