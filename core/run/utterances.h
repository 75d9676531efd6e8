#pragma once

#include "core/base/result.h"
#include "core/run/run_folder.h"
#include "core/score/error_rate.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::run {

/// Where in its file an utterance lies; by default it is the whole file. The members are those of
/// data/sound_part.h, which knows what they mean.
struct UtterancePart {
    double begin = 0; ///< in seconds, or in samples of the file
    double end = 0; ///< the same; 0 = unsaid
    double seconds = 0; ///< from the beginning on, where no end is said
    bool countsSamples = false;
    int channel = -1; ///< from 0; -1 = the mean of all

    bool operator==(const UtterancePart&) const = default;
};

/// One utterance of a validation that searched texts, or of a test. Its loss is not known: a task
/// gives that of a batch.
struct Utterance {
    std::string id;
    std::string speaker; ///< "" where the manifest names none
    double seconds = -1; ///< -1 = unknown
    std::string sound; ///< path as the run read it; "" = unknown
    UtterancePart part {};
    std::string reference;
    std::string hypothesis;
    /// Edits of this utterance alone, so sums of them are an error rate (score::ErrorRate::add).
    /// The unit that counts (Evaluated::rate) is always there. In an older run the other is not.
    std::optional<score::ErrorRate> byWord {};
    std::optional<score::ErrorRate> byCharacter {};
    std::vector<std::string> missedHotwords {}; ///< each as often as it was spoken and not heard

    bool operator==(const Utterance&) const = default;
};

/// Edits in the unit that counts. `rate`: Evaluated::rate.
const score::ErrorRate& countedEdits(const Utterance& utterance, const std::string& rate);

/// The file of an evaluation's utterances, beside its alignments: FORMAT.md says how it looks.
std::filesystem::path utterancesFile(const RunFolder& folder, const Evaluated& evaluated);

/// Its text, from which its reader makes the same utterances.
std::string utterancesText(const std::vector<Utterance>& utterances);
Result<std::vector<Utterance>> utterancesFromText(std::string_view text);

/// The rows of an evaluation in manifest order: 100,000 in under a second. Of a run that kept no
/// such file they are made of its alignments, without seconds, speaker, sound and hotwords. Errors:
/// neither file is there or can be read; a line that is no row.
Result<std::vector<Utterance>> readUtterances(const RunFolder& folder, const Evaluated& evaluated);

/// The evaluation of that split ("" = the first test, without tests "valid"), and of that epoch
/// where one is given; the newest of several. The error names what the run has, or the evaluation
/// that wrote over its texts.
Result<Evaluated> findEvaluation(const Snapshot& snapshot, const std::string& split,
    std::optional<int64_t> epoch = std::nullopt);

} // namespace earwright::run
