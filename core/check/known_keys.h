#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace earwright::check {

/// A key that something reads, though no `!ref` of the recipe names it.
struct KnownKey {
    const char* name; ///< "train_dataloader_opts", at the top of the recipe or in its section
    const char* reader; ///< for people: "data::Batching"; "" = SpeechBrain's train scripts only
    const char* detail = ""; ///< what stands there: "Fbank or another front end"
    const char* help = "";
};

/// At the top of a recipe: what tasks read, and what SpeechBrain's own train scripts do. Run
/// options (catalog::RunOptions) are not repeated here.
std::span<const KnownKey> knownKeys();

/// Below `train_dataloader_opts`, `dynamic_batch_sampler`, `train_conf` and their like; empty for a
/// section of another name.
std::vector<KnownKey> knownKeysOf(std::string_view section);

/// Of knownKeys(); null where it is none of them.
const KnownKey* findKnownKey(std::string_view name);

/// The reader of a key, "" where Earwright reads it not; null where nobody is known to.
const char* readerOf(std::string_view key);

} // namespace earwright::check
