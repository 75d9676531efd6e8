#pragma once

#include "core/data/manifest.h"
#include "core/data/packed_utterances.h"
#include "core/data/text_encoder.h"
#include "core/recipe/diagnostic.h"
#include "core/settings/frame_rate.h"
#include "core/settings/labels.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

/// Of a file's duration: manifests round theirs, and one that is further off is wrong.
constexpr double kDurationTolerance = 0.1;

struct InspectOptions {
    std::string manifestFile = {}; ///< named in the diagnostics
    int sampleRateHz = 16000; ///< what the model is trained on
    const TextEncoder* encoder
        = nullptr; ///< null: characters and transcripts' lengths are not checked
    std::optional<settings::FrameRate> frameRate
        = std::nullopt; ///< of the CTC loss; without it lengths are not checked
    /// That a decoder has places for; without it texts may have any.
    std::optional<int64_t> mostTokens = std::nullopt;
    std::vector<settings::UtteranceLabel> utteranceLabels = {}; ///< that batches have
    size_t maxPerRule
        = 20; ///< places shown of one rule; the rest is counted in one more diagnostic
    /// Before each file, and before all texts, in any thread; false ends the inspection with what
    /// was found so far.
    std::function<bool()> goOn = [] { return true; };
};

/// How much of a set does not come as the model takes it.
struct Conversions {
    int64_t numFiles = 0;
    int64_t numDownmixed = 0; ///< more than one channel
    int64_t numResampled = 0;
    std::map<int, int64_t> numByRateHz;
};

struct Inspection {
    std::vector<recipe::Diagnostic> diagnostics; ///< in the manifest's order
    Conversions conversions;
};

/// Opens every file once (header and last sample, on all cores; of a recording that rows are parts
/// of the header) and looks at every transcript, before a run is hours into its epoch. Rules:
/// data-missing-file, data-bad-audio, data-unknown-character, data-long-text, data-labels (a label
/// of an utterance is no token; a warning where no row says any) (errors); data-too-short (the loss
/// of such a row counts as 0), data-no-text, data-white-space, data-other-letters, data-duration
/// (the manifest is a tenth off the file) (warnings).
Inspection inspect(const std::vector<Utterance>& utterances, const InspectOptions& options);
Inspection inspect(const PackedUtterances& utterances, const InspectOptions& options);

/// Looks at transcripts once more with a tokenizer that inspect() did not have, and opens no file:
/// data-unknown-character, data-long-text, data-labels, data-too-short (by the manifest's
/// durations) and data-other-letters.
std::vector<recipe::Diagnostic> inspectTokens(
    const PackedUtterances& utterances, const InspectOptions& options);

/// One line for the log, "" where nothing is converted: "of 40 files 2 are averaged to one channel,
/// 3 are resampled to 16000 Hz from 8000 44100".
std::string reportConversions(const Conversions& conversions, int sampleRateHz);

/// The least frames an alignment of these tokens needs: one each and a blank between equal
/// neighbours.
int64_t ctcFramesNeeded(const std::vector<int64_t>& tokens);

} // namespace earwright::data
