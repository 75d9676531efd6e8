#pragma once

#include "core/recipe/node.h"

#include <filesystem>
#include <string>
#include <vector>

namespace earwright::settings {

/// The corpus whose layout a folder has, by the name that `earwright prepare` has for it: "fsdd"
/// (recordings/DIGIT_SPEAKER_TAKE.wav), "speech-commands" (testing_list.txt and
/// validation_list.txt), "librispeech" (train-*, dev-* or test-* in LibriSpeech), "aishell1"
/// (data_aishell/transcript), "common-voice" (clips beside train.tsv), "kaldi" (train/wav.scp),
/// "timit" (train/dr1), "tedlium2" (train/sph beside train/stm), "voicebank" (trainset_28spk_txt);
/// "" where none is known.
std::string corpusIn(const std::filesystem::path& folder);

/// That of a resolved recipe's `data_folder`: "libriheavy" where `manifest_folder` has its lists,
/// "parquet" where hubFolder() is one, else by corpusIn().
std::string corpusOf(const recipe::Node& root);

/// Where the data set of the Hugging Face Hub lies whose recipe this is: the first of its
/// `hf_download_folder`, `hf_hub` and `hf_caching_dir` with a *.parquet in it or below; "" where
/// none has.
std::filesystem::path hubFolder(const recipe::Node& root);

/// TIMIT's folder with train and test in small or capital letters: `folder` or what it holds as
/// TIMIT or timit; "" where neither is.
std::filesystem::path timitIn(const std::filesystem::path& folder);

/// A run of this resolved recipe makes the manifests that are missing: its `data_folder` holds a
/// corpus that is known, and `skip_prep` is not True.
bool makesManifests(const recipe::Node& root);

} // namespace earwright::settings
