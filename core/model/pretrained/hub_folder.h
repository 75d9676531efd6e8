#pragma once

#include "core/model/pretrained/hub_weights.h"

#include <filesystem>

namespace earwright::model {

/// A folder as `transformers` saves it.
struct HubFolder {
    EncoderConfig config;
    bool normalizesWave = true; ///< do_normalize of preprocessor_config.json
    HubWeights weights;
};

/// config.json, preprocessor_config.json (or processor_config.json) and the weights:
/// model.safetensors, model.safetensors.index.json, pytorch_model.bin or
/// pytorch_model.bin.index.json, the first that is there, as `transformers` chooses. Errors name
/// the file and what is wrong.
Result<HubFolder> readHubFolder(const std::filesystem::path& folder);

} // namespace earwright::model
