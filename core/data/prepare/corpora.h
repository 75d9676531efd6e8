#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>
#include <string>
#include <vector>

namespace earwright::data {

struct ReadCorpusOptions {
    std::filesystem::path folder = {};
    std::filesystem::path outFolder = {}; ///< for what must be written: segments of recordings
    std::filesystem::path audioRoot = {}; ///< of Kaldi's relative paths
    bool keepText = false; ///< as published
    std::filesystem::path cutFolder = {}; ///< for TED-LIUM's utterances; "" = `outFolder`/segments
    std::filesystem::path manifestFolder = {}; ///< Libriheavy's lists
    std::vector<std::string> parts = {}; ///< of LibriSpeech and Libriheavy; none = all
    std::string sound = "clean_wav"; ///< of Voicebank
    double shortestSeconds = 1; ///< of TED-LIUM
    std::vector<std::string> subsets = {}; ///< of a data set in Parquet: parts to train on
    bool hasCapitals = false; ///< its texts become ParquetTexts::Capitals
};

/// Corpora of a published layout, by the names of `earwright prepare`.
const std::vector<std::string>& corpusNames();

/// A corpus by its name. Errors: an unknown name, and the reader's own.
Result<Corpus> readCorpus(
    const std::string& name, const ReadCorpusOptions& options, const GoOn& goOn);

/// The names that the manifests of a corpus may get, before it is read: train, dev, test and those
/// of the folders that may be parts.
std::vector<std::string> possibleSplits(
    const std::string& name, const std::filesystem::path& folder);

} // namespace earwright::data
