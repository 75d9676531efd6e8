#pragma once

#include "core/recipe/node.h"
#include "core/settings/known_key.h"

#include <filesystem>
#include <string>
#include <vector>

namespace earwright::settings {

/// Of corpora of which manifests are made, and of noises.
inline constexpr Reader kCorpusReader { "data::prepareMissing" };
inline constexpr Reader kSoundsReader { "data::makeSoundCsvs" };

/// The corpus whose layout a folder has, by the name that `earwright prepare` has for it: "fsdd"
/// (recordings/DIGIT_SPEAKER_TAKE.wav), "speech-commands" (testing_list.txt and
/// validation_list.txt), "librispeech" (train-*, dev-* or test-* in LibriSpeech), "aishell1"
/// (data_aishell/transcript), "common-voice" (clips beside train.tsv), "kaldi" (train/wav.scp),
/// "timit" (train/dr1), "tedlium2" (train/sph beside train/stm), "voicebank" (trainset_28spk_txt);
/// "" where none is known.
std::string corpusIn(const std::filesystem::path& folder);

/// A corpus of which a run makes manifests.
struct FoundCorpus {
    std::string name; ///< that `earwright prepare` has for it; "" where none is known
    std::filesystem::path folder; ///< where it lies
};

/// Of which a run of this resolved recipe makes the manifests that are missing: "parquet" in the
/// first of its `hf_download_folder`, `hf_hub` and `hf_caching_dir` that is a .parquet or has one
/// below (at most six folders down, among the first 10,000 entries), "libriheavy" where
/// `manifest_folder` has its lists, else by corpusIn() of `data_folder`. No name with
/// `skip_prep: True`.
FoundCorpus corpusOf(const recipe::Node& root);

/// Whether a run makes missing manifests: it has corpusOf(), or may have one once a folder has a
/// value that the recipe still leaves open (!PLACEHOLDER). It looks through folders.
bool mayMakeManifests(const recipe::Node& root);

/// The parts of Libriheavy of which a folder has lists (libriheavy_cuts_PART.jsonl.gz), in order.
std::vector<std::string> libriheavyParts(const std::filesystem::path& lists);

/// TIMIT's folder with train and test in small or capital letters: `folder` or what it holds as
/// TIMIT or timit; "" where neither is.
std::filesystem::path timitIn(const std::filesystem::path& folder);

} // namespace earwright::settings
