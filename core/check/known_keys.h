#pragma once

#include "core/settings/known_key.h"

#include <span>
#include <string_view>
#include <vector>

namespace earwright::check {

/// At the top of a recipe: what tasks read, and what SpeechBrain's own train scripts do. Run
/// options (catalog::RunOptions) are not repeated here.
std::span<const settings::KnownKey> knownKeys();

/// Below `train_dataloader_opts`, `dynamic_batch_sampler`, `train_conf` and their like; empty for a
/// section of another name.
std::vector<settings::KnownKey> knownKeysOf(std::string_view section);

/// Of knownKeys(); null where it is none of them.
const settings::KnownKey* findKnownKey(std::string_view name);

/// The reader of a key, "" where Earwright reads it not; null where nobody is known to.
const char* readerOf(std::string_view key);

} // namespace earwright::check
