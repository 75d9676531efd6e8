#pragma once

#include "core/data/manifest.h"
#include "core/data/text_encoder.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace earwright::data {

/// A row of a manifest, and what to know of it before a training.
struct SurveyedUtterance {
    Utterance utterance;
    std::vector<std::string> strangeWords {}; ///< with a letter that no label has
    int64_t sameTexts = 1; ///< rows of this text, which may be its only one
    int64_t sameSounds = 1; ///< rows of this file and place in it
    bool isInOther = false; ///< the other manifest has this ID, or file and place
    double silence = -1; ///< share of its frames of 10 ms that are more than 40 dB below the
                         ///< loudest one; -1 = it was not read
    double clipped = -1; ///< share of its samples at full scale; -1 = it was not read
    std::string problem {}; ///< why it could not be read; "" = it could, or was not
};

struct ManifestSurvey {
    std::vector<SurveyedUtterance> rows; ///< in the manifest's order
    std::vector<std::pair<std::string, int64_t>> alphabet; ///< letters of the texts, the most
                                                           ///< frequent first; no white space
    double seconds = 0;
    int64_t speakers = 0; ///< that have a name
    int64_t inOther = 0; ///< rows that the other manifest has too
};

struct SurveyOptions {
    std::string dataRoot {}; ///< that paths are written from
    std::filesystem::path workingFolder {}; ///< that relative paths of sounds count from
    settings::ManifestColumns columns {};
    const TextEncoder* encoder = nullptr; ///< null: no word is strange
    std::filesystem::path other {}; ///< a manifest that should share nothing; "" = none
    bool readsSounds = false; ///< whole, on all cores: for silence and clipping
    /// Before each sound, in any thread; false ends the reading: the rest stays unread.
    std::function<bool()> goOn = [] { return true; };
};

/// Errors: those of readManifest(), of either manifest. The same ID twice is one of them.
Result<ManifestSurvey> surveyManifest(
    const std::filesystem::path& manifest, const SurveyOptions& options);

} // namespace earwright::data
