#pragma once

#include "core/base/result.h"
#include "core/data/manifest.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kymo::data {

/// What preparing a corpus gave, and what it left out and why.
struct PrepareReport {
    struct Split {
        std::string name; ///< train | dev | test
        std::filesystem::path file;
        int64_t numUtterances = 0;
        double seconds = 0;
        int64_t numWords = 0; ///< different ones
    };
    std::vector<Split> splits;
    std::map<std::string, std::vector<std::string>> dropped; ///< reason -> names

    /// A table of the splits, then each reason with how many and the first few names.
    std::string text() const;
};

/// Utterances on their way into manifests.
struct Corpus {
    std::map<std::string, std::vector<Utterance>> splits; ///< train, dev, test
    std::map<std::string, std::vector<std::string>> dropped;

    /// Adds the utterance with the file's duration, or drops `id` where the file cannot be read.
    void add(const std::string& split, Utterance utterance);
};

/// Writes `folder`/<split>.csv (ID,duration,wav,spk_id,wrd) for train, dev and test. An error where
/// one of them is empty.
Result<PrepareReport> writeManifests(const Corpus& corpus, const std::filesystem::path& folder);

/// train, dev (an eighth) or test (an eighth) by a hash of a name: the same on every machine.
std::string splitOf(const std::string& name);

} // namespace kymo::data
