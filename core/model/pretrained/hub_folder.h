#pragma once

#include "core/model/pretrained/hub_weights.h"

#include <filesystem>
#include <functional>

namespace earwright {
class JsonReader;
}

namespace earwright::model {

/// A folder as `transformers` saves it.
struct HubFolder {
    EncoderConfig config;
    bool normalizesWave = true; ///< do_normalize of preprocessor_config.json
    HubWeights weights;
};

/// config.json, preprocessor_config.json (or processor_config.json) and the weights:
/// model.safetensors, model.safetensors.index.json, pytorch_model.bin or
/// pytorch_model.bin.index.json, the first that is there, as `transformers` chooses. A run's folder
/// (settings::kKeptSource) has no weights. Errors name the file and what is wrong.
Result<HubFolder> readHubFolder(const std::filesystem::path& folder);

/// Its weights by name, as stored, of whatever model they are.
Result<std::map<std::string, torch::Tensor>> readStoredWeights(const std::filesystem::path& folder);

/// Has `read` look at the members of its feature extractor. The file is preprocessor_config.json
/// or, where there is none, processor_config.json.
Status readExtractor(
    const std::filesystem::path& folder, const std::function<void(JsonReader&)>& read);

} // namespace earwright::model
