#pragma once

#include "core/base/names.h"
#include "core/recipe/node.h"
#include "core/settings/known_key.h"

#include <cstdint>
#include <optional>

namespace earwright::settings {

inline constexpr Reader kOptimizerReader { "train::Optimizer" };
inline constexpr Reader kScheduleReader { "train::Schedule" };

/// Names of one thing in upstream's recipes; the first that is given, and not as null, counts.
/// Whisper's are of the whole training, or beside another optimizer those of the encoder.
const Names& optimizerKeys();
const Names& scheduleKeys();
const Names& encoderOptimizerKeys();
const Names& encoderScheduleKeys();

/// `SGD` after `stage_one_epochs`, in place of the first optimizer: it begins anew and at its own
/// rate. The schedule goes on. Source: recipes/AISHELL-1/ASR/transformer/train.py.
struct SecondStage {
    recipe::NodePtr optimizer; ///< a `!name:`
    int64_t afterEpochs = 0;
};

/// `wav2vec_opt_class`, `bestrq_opt_class` or `whisper_opt_class`: a pretrained encoder learns by
/// an optimizer and a schedule of its own, in the same steps as the others; a second stage of
/// theirs changes nothing of it. Source: recipes/CommonVoice/ASR/CTC/train_with_wav2vec.py.
struct EncoderOptimizer {
    recipe::NodePtr optimizer; ///< a `!name:`
    recipe::NodePtr schedule; ///< a `!new:`; null where the rate stays
    Names layers; ///< keys of the layers that it trains, as far as the recipe has them
    int64_t warmupSteps = 0; ///< steps of the others before its first one
};

/// What a training of a resolved recipe is optimized by.
struct OptimizerSettings {
    recipe::NodePtr optimizer; ///< a `!name:`; null where there is none
    recipe::NodePtr schedule; ///< a `!new:`; null where the rate stays
    std::optional<SecondStage> second {};
    std::optional<EncoderOptimizer> ofEncoder {}; ///< none of one that is frozen
};
OptimizerSettings optimizerSettings(const recipe::Node& recipe);

/// Null where the recipe gives none of the keys.
recipe::NodePtr firstOf(const recipe::Node& recipe, const Names& keys);

} // namespace earwright::settings
