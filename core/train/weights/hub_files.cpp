#include "core/train/weights/hub_files.h"

#include "core/base/file.h"
#include "core/base/json_depth.h"
#include "core/data/encoder_recipe.h"
#include "core/settings/hub_model.h"

namespace earwright::train {

namespace {

namespace fs = std::filesystem;
using HubJson = nlohmann::ordered_json;

constexpr const char* kModelConfig = "config.json";
constexpr const char* kFeatures = "preprocessor_config.json";

/// As it is where it says no other type.
std::string inFloat32(std::string config)
{
    HubJson json = parseShallow<HubJson>(config);
    bool isOther = false;
    for (const char* name : { "dtype", "torch_dtype" }) {
        const auto type = json.is_object() ? json.find(name) : json.end();
        if (type == json.end() || *type == "float32")
            continue;
        *type = "float32";
        isOther = true;
    }
    return isOther ? json.dump(2) + "\n" : std::move(config);
}

/// Those of all Whispers: core/model/whisper/whisper_folder.cpp refuses any other.
std::string whisperFeatures(int64_t mels)
{
    return HubJson {
        { "feature_extractor_type", "WhisperFeatureExtractor" }, { "feature_size", mels },
        { "sampling_rate", 16000 }, { "hop_length", 160 }, { "n_fft", 400 }, { "chunk_length", 30 },
        { "n_samples", 480000 }, { "nb_max_frames", 3000 }, { "padding_side", "right" },
        { "padding_value", 0.0 }, { "return_attention_mask", false },
        { "processor_class", "WhisperProcessor" }
    }.dump(2)
        + "\n";
}

} // namespace

Status copyHubFiles(const fs::path& run, const fs::path& folder, const fs::path& out)
{
    for (const std::string& name : settings::keptHubFiles()) {
        const fs::path file = isFile(run / name) ? run / name : folder / name;
        if (!isFile(file))
            continue;
        Result<std::string> text = readFile(file);
        if (!text)
            return text.error();
        if (name == kModelConfig)
            *text = inFloat32(std::move(*text));
        if (const Status written = writeFileAtomically(out / name, *text); !written)
            return written;
    }
    return Done {};
}

Status writeWhisperFiles(
    const recipe::Node& recipe, const fs::path& run, const fs::path& out, int64_t mels)
{
    const Result<data::TextEncoder> encoder = data::loadEncoder(recipe, run);
    if (!encoder)
        return encoder.error();
    const data::BytePairs* const pairs = encoder->bytePairs();
    if (!pairs)
        return Error { "the run has no tokenizer of Whisper" };
    Status written = writeFileAtomically(out / "tokenizer.json", pairs->tokenizerJson());
    if (written && !pairs->spellings().empty())
        written = writeFileAtomically(
            out / "normalizer.json", HubJson(pairs->spellings()).dump(2) + "\n");
    if (written && !isFile(out / kFeatures) && !isFile(out / "processor_config.json"))
        written = writeFileAtomically(out / kFeatures, whisperFeatures(mels));
    return written;
}

} // namespace earwright::train
