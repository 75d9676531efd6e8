#pragma once

#include "core/base/result.h"
#include "core/data/prepare/go_on.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

/// Of what a recipe is made that trains a model of the Hub on with one's own data.
struct FineTuning {
    std::string source; ///< the model: a folder, or a name in the Hub's cache
    std::filesystem::path data; ///< a folder with train.csv and dev.csv or valid.csv, or a list
                                ///< that readOwnList() reads
    std::filesystem::path recipe; ///< the file to write
    std::optional<bool> keepsVocabulary {}; ///< the labels are those of the model's vocab.json;
                                            ///< else they are the characters of the training texts.
                                            ///< Of Whisper nothing: it has its tokenizer
    bool keepsText
        = false; ///< of a list: OwnListOptions::normalizeText is off, as for Whisper always
    std::string language {}; ///< of the texts, for a Whisper of many languages: "german" or "de"
};

/// What was written, a sentence each for the user.
struct FineTuningFiles {
    std::vector<std::filesystem::path> files; ///< the recipe first
    std::vector<std::string> notes;
};

/// Writes a recipe by which `earwright train` trains the model as it stands, from
/// resources/templates; of a list its manifests too, as `earwright prepare` does, to the folder
/// RECIPE-data, and of a kept vocabulary RECIPE-labels.txt. Errors: the recipe is there already, a
/// run of Earwright for a model, a model of another kind, data without a validation set, texts with
/// letters that a kept vocabulary has not, a Whisper of many languages without a language.
Result<FineTuningFiles> writeFineTuning(const FineTuning& asked, const GoOn& goOn);

} // namespace earwright::data
