#pragma once

#include "core/base/result.h"
#include "core/data/batching.h"
#include "core/data/encoder_recipe.h"
#include "core/data/loader.h"
#include "core/data/manifest.h"
#include "core/data/packed_utterances.h"
#include "core/plan/plan.h"
#include "core/score/error_rate.h"
#include "core/settings/data_settings.h"

#include <memory>
#include <string>
#include <vector>

namespace earwright::train {

/// One split of a recipe: its utterances, how they are batched and read.
struct Split {
    std::string name; ///< of its manifest (data/recipe_data.h)
    std::string manifest; ///< its file
    std::shared_ptr<const std::vector<data::Utterance>>
        utterances; ///< null where the recipe names no manifest
    data::Batching batching;
    data::LoaderOptions loader;
    score::WordSplit wordSplit = score::WordSplit::WhiteSpace; ///< of what is scored
    size_t leftOut = 0; ///< of the manifest
    std::string leftOutBy {}; ///< what says so, for people
    /// Utterances of validation and test that the model hears so many seconds of, as upstream.
    size_t cutShort = 0;
    double heardSeconds = 0; ///< 0: all
};

/// One of "train", "valid" and "test": its manifests, by `<split>_dataloader_opts`,
/// `dynamic_batch_sampler_<split>` (settings/data_settings.h), `sorting`,
/// `data_folder`, `sample_rate`, `num_workers`; of training `avoid_if_longer_than` and
/// `avoid_if_shorter_than`, of others `avoid_if_longer_than_val_test`, in seconds. Errors: a
/// manifest that cannot be read or has, or is left, no utterance; no batch, with `drop_last`; a
/// speed that cannot be drawn.
Result<std::vector<Split>> readSplits(const plan::Plan& plan, const std::string& split);

/// What a check reads of a split: a million utterances take much memory.
struct PackedSplit {
    Split split; ///< its `utterances` are null
    data::PackedUtterances utterances;
    std::vector<double> durationsSeconds; ///< of each
};
/// As readSplits().
Result<std::vector<PackedSplit>> readPackedSplits(const plan::Plan& plan, const std::string& split);

/// Takes out what `avoid_if_longer_than` and `avoid_if_shorter_than` leave out of a training.
/// Returns how many.
size_t leaveOut(const settings::DataSettings& settings, std::vector<data::Utterance>& utterances);

/// The texts in the order of training, by which labels are numbered.
std::vector<std::string> trainingTexts(const Split& train);
std::vector<std::string> trainingTexts(const PackedSplit& train);

/// The text encoder that the recipe asks for (data/encoder_recipe.h), its labels in the order of
/// training.
Result<data::MadeEncoder> makeEncoder(const plan::Plan& plan, const Split& train);

} // namespace earwright::train
