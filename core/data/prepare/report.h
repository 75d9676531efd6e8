#pragma once

#include "core/base/result.h"
#include "core/data/manifest.h"
#include "core/data/prepare/go_on.h"
#include "core/data/prepare/tags.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

/// What preparing a corpus gave, and what it left out and why.
struct PrepareReport {
    struct Split {
        std::string name; ///< train | dev | test, or a published part: train-clean-100
        std::filesystem::path file;
        int64_t numUtterances = 0;
        double seconds = 0;
        int64_t numWords = 0; ///< different ones
    };
    std::vector<Split> splits;
    std::map<std::string, std::vector<std::string>> dropped; ///< reason -> names
    std::vector<std::string> notes; ///< lines on the corpus as a whole
    std::filesystem::path file = {}; ///< that has all names of what was left out

    /// A table of the splits, the notes, each reason with how many and the first few names, and
    /// where all of them are.
    std::string text() const;
};

/// Told to end before all of a corpus was read.
Error stoppedIn(const std::filesystem::path& folder);

/// Why the later of two utterances with one ID is left out.
constexpr const char* kRepeatedId = "an ID used before";

/// Why those are left out whose audio does not decode to its end.
constexpr const char* kUnreadable = "audio that cannot be read";

/// Of "cannot read audio 'PATH': REASON" what is behind the path.
std::string reasonIn(const std::string& message, const std::filesystem::path& path);

/// "7 (a, b, c, d, e, …)": how many there are and the first few.
std::string countAndNames(const std::vector<std::string>& names);

/// Utterances on their way into manifests.
struct Corpus {
    std::map<std::string, std::vector<Utterance>> splits; ///< train, dev, test, published parts
    std::map<std::string, std::vector<std::string>> dropped;
    std::vector<std::string> notes = {};
    std::vector<std::string> tooShort = {}; ///< kept, though their audio ends before the list says
    TranscriptTags tags = {}; ///< in all texts, those left out too
    std::map<std::string, std::string> recordings = {}; ///< what was cut from one: path -> its path
    std::map<std::string, std::string> phones = {}; ///< by ID, beside the words; none = no column
    std::string soundName = "wav"; ///< of the member that has the path
    std::filesystem::path otherFolder = {}; ///< that users may name for it too (otherRootOf())

    /// Makes notes of what is told of many.
    void noteWhole();
    /// Adds the utterance with the file's duration, or drops it as secondsOf() does: false.
    bool add(const std::string& split, Utterance utterance);
    /// Nothing, and the utterance is told among the dropped with the reason, where the file is not
    /// there or cannot be read to its last sample.
    std::optional<double> secondsOf(const std::string& id, const std::filesystem::path& wav);
};

/// Writes splits of a corpus, each as the file named for it: SpeechBrain's CSV
/// (ID,duration,wav,spk_id,wrd, with phn where there are phones, start where there are parts), or
/// its JSON where the file's name ends in .json. train, dev and test are all the published parts
/// that begin so. Folders are made. An error where such a split is empty; then none is written.
Result<PrepareReport> writeManifests(
    const Corpus& corpus, const std::map<std::string, std::filesystem::path>& files);

/// All three as `folder`/<split>.csv, with the report beside them (keepReport()); those of an
/// earlier preparation are removed, nobody else's are written over (prepareFolder()).
Result<PrepareReport> writeManifests(const Corpus& corpus, const std::filesystem::path& folder);

/// train, dev (an eighth) or test (an eighth) by a hash of a name: the same on every machine.
std::string splitOf(const std::string& name);

} // namespace earwright::data
