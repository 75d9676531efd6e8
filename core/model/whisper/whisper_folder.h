#pragma once

#include "core/model/pretrained/hub_weights.h"
#include "core/model/whisper/whisper_config.h"

#include <filesystem>

namespace earwright::model {

/// A folder of the Hub that holds a Whisper.
struct WhisperFolder {
    std::filesystem::path path;
    WhisperSizes sizes;
    HubWeights weights; ///< under the names of a WhisperModel
};

/// config.json, the weights as readStoredWeights() finds them, and what preprocessor_config.json
/// (or processor_config.json) says, if there is one. With encoderOnly the decoder's weights are
/// left out; a folder that a run keeps (settings::kKeptSource) has none. Errors name the file and
/// what is wrong, features and lengths among it that Earwright does not compute.
Result<WhisperFolder> readWhisperFolder(const std::filesystem::path& folder, bool encoderOnly);

} // namespace earwright::model
