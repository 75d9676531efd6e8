#pragma once

#include "core/data/packed_utterances.h"
#include "core/recipe/diagnostic.h"

#include <string>
#include <vector>

namespace earwright::data {

/// How much of a validation or test set the training set has too: IDs, audio files (by path, and by
/// size and a checksum of their beginning, middle and end; parts by path and place) and sentences,
/// as one warning with the numbers at the set's manifest. Sentences alone are told of where most
/// stand in one row only and most are in both: those of a small vocabulary always repeat.
std::vector<recipe::Diagnostic> sharedUtterances(const std::vector<Utterance>& train,
    const std::string& trainManifest, const std::vector<Utterance>& other,
    const std::string& otherManifest);
std::vector<recipe::Diagnostic> sharedUtterances(const PackedUtterances& train,
    const std::string& trainManifest, const PackedUtterances& other,
    const std::string& otherManifest);

} // namespace earwright::data
