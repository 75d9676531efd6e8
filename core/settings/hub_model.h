#pragma once

#include "core/base/names.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace earwright::settings {

/// What a recipe needs to know of a folder of the Hub without reading its weights. What its files
/// leave out has the value that `transformers` 5.17 takes then.
struct HubModel {
    std::string type; ///< model_type of config.json: "wav2vec2"
    int64_t width = 768; ///< of a frame of its output
    double layerdrop = 0.1; ///< the share of layers that each step of a training leaves out
    bool namesLayerdrop = false; ///< config.json does
    int64_t sampleRateHz = 16000; ///< of preprocessor_config.json or processor_config.json
    std::string rateFile; ///< which of them was read; "" where neither is there

    // Of a Whisper alone:
    int64_t vocabulary = 51865; ///< vocab_size
    int64_t positions = 448; ///< of its decoder, max_target_positions
    double decoderLayerdrop = 0; ///< as layerdrop, of its decoder

    /// The tokens that a text may have: what begins one has its places too.
    int64_t mostTokens() const;
};

/// Whether a Whisper of so many classes is told the language and the task of a text, as
/// SpeechBrain's wrapper asks.
constexpr bool isMultilingualWhisper(int64_t vocabulary)
{
    return vocabulary >= 51865;
}

// A run keeps the small files of its model's folder, so that it goes on and recognises without
// it: its checkpoints hold the weights. Its own folder is then the encoder's.

/// Those that a folder may have.
const Names& keptHubFiles();
/// Names the folder that they are from, and tells that the weights are elsewhere.
inline constexpr const char* kKeptSource = "pretrained.txt";

/// An error where the folder is a run of Earwright: a recipe's `source` is an encoder's folder.
Status checkNoRun(const std::filesystem::path& folder);

/// Errors name the file that is missing or holds something else.
Result<HubModel> readHubModel(const std::filesystem::path& folder);

} // namespace earwright::settings
