#pragma once

#include "core/recipe/node.h"
#include "core/settings/known_key.h"

#include <string>
#include <vector>

namespace earwright::settings {

/// Of manifests and their columns.
inline constexpr Reader kManifestReader { "data::Manifest" };

/// The keys under which recipes name the manifest of "train", "valid" or "test"; the first one that
/// a recipe has counts. Of upstream's: `train_data` is AISHELL's, `csv_train` MEDIA's.
std::vector<std::string> manifestKeys(const std::string& split);

/// Of a recipe whose script reads a data set of the Hugging Face Hub (`hf_hub`,
/// `hf_download_folder`) and names no manifest for validation and test: `dev.csv` (else
/// `validation.csv`) or `test.csv` beside its `train_csv`, as `earwright prepare parquet` writes
/// them. "" of any other.
std::string hubManifest(const recipe::Node& root, const std::string& split);

/// The columns of a manifest that a recipe reads, or members of a JSON's utterances. Of a column
/// the first name that a manifest has counts.
struct ManifestColumns {
    std::vector<std::string> text = { "wrd", "transcript", "words", "text" };
    std::vector<std::string> sound = { "wav", "audio_path" };
    bool hasParts = true; ///< places in the recordings count
    std::vector<std::string> labels = {}; ///< of whole utterances: members of JSON Lines' rows
};

/// The error rate of the recipe is counted in phones (`per_stats`), and no key says what texts are
/// cut into: upstream's script makes a label of each phone of the manifests.
bool trainsOnPhones(const recipe::Node& root);

/// Upstream's scripts for MEDIA are known by their key `concepts_path`. What they call `task` is
/// what the corpus is prepared for.
bool isOfMedia(const recipe::Node& root);
/// The one for recognition makes a label of each part of `char`.
bool hasMediaLabels(const recipe::Node& root);
/// Labels stand in the manifest with blanks between: phones, or MEDIA's letters.
bool hasWholeLabels(const recipe::Node& root);

/// Of a recipe on phones `phn` (TIMIT) or `phones` (Voicebank), else the words; `char` (MEDIA:
/// labels with blanks between) by MEDIA's keys or with `token_type: word`. The sound is that of
/// `input_type` where it is Voicebank's clean_wav or noisy_wav. With `download_with_HF`
/// (GigaSpeech) all files are cut.
ManifestColumns manifestColumns(const recipe::Node& root);

} // namespace earwright::settings
