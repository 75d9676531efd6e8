#pragma once

#include "core/recipe/node.h"

#include <filesystem>
#include <string>

namespace earwright::settings {

/// The corpus whose layout a folder has, by the name that `earwright prepare` has for it: "fsdd"
/// (recordings/DIGIT_SPEAKER_TAKE.wav), "speech-commands" (testing_list.txt and
/// validation_list.txt), "librispeech" (train-*, dev-* or test-* in LibriSpeech), "aishell1"
/// (data_aishell/transcript), "common-voice" (clips beside train.tsv), "kaldi" (train/wav.scp); ""
/// where none is known.
std::string corpusIn(const std::filesystem::path& folder);

/// A run of this resolved recipe makes the manifests that are missing: its `data_folder` holds a
/// corpus that is known, and `skip_prep` is not True.
bool makesManifests(const recipe::Node& root);

} // namespace earwright::settings
