#pragma once

#include "core/adapter/recipe_text.h"

#include <cstdint>

namespace earwright::adapter {

/// FunASR's preprocessors of dataset_conf, which run on each utterance that a training reads.
/// SpeechPreprocessSpeedPerturb becomes `speed_perturb` with `do_speed_perturb`: each of its
/// factors, 0.9 as 90 %, is as likely as any other. All else of theirs is refused. False where
/// `setting` is none of theirs. `section`: dataset_conf. `rateHz`: at which audio is read.
/// Source: funasr.datasets.audio_datasets.preprocessor.
bool writePreprocessor(
    const recipe::Entry& setting, const recipe::Node& section, int64_t rateHz, RecipeText& recipe);

} // namespace earwright::adapter
