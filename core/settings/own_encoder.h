#pragma once

#include "core/recipe/node.h"

#include <cstdint>

namespace earwright::settings {

/// The keys of SpeechBrain's own wav2vec 2.0: from waves to latents, and from these to frames.
inline constexpr const char* kLatentExtractor = "extractor";
inline constexpr const char* kLatentEncoder = "encoder_wrapper";
/// Positions that kLatentEncoder has: upstream's PositionalEncoding.
inline constexpr int64_t kLatentPositions = 2500;
/// What stands between the encoder and the output behind one that BEST-RQ pretrained.
inline constexpr const char* kBackEnd = "back_end_ffn";

/// An encoder that SpeechBrain pretrained itself, whose layers the recipe lists, and how its
/// scripts train it. Sources: recipes/LibriSpeech/ASR/CTC/train_with_wav2vec.py and
/// train_with_bestrq.py.
struct OwnEncoder {
    const char* name; ///< for people
    const char* trained; ///< the key of the layers that its own optimizer trains
    const char* layers; ///< the names of these for `freeze_param`
    const char* optimizer; ///< that optimizer's key
    const char* freeze; ///< the key by which it would take no steps
};
/// Null where the recipe has none. BEST-RQ's is known by its list, `pt_model`, beside kBackEnd or a
/// key that only recipes of it have.
const OwnEncoder* ownEncoder(const recipe::Node& recipe);

/// Whether it is fed the waves: SpeechBrain's own wav2vec 2.0.
bool hasLatentExtractor(const recipe::Node& recipe);

} // namespace earwright::settings
