#include "core/settings/hub_model.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/text.h"

namespace earwright::settings {

namespace {

namespace fs = std::filesystem;

constexpr const char* kWhisperType = "whisper";
constexpr int64_t kBertWidth = 1024;
constexpr JsonRange kHubSize { 1, 1'000'000 };

Error inModelFile(const fs::path& file, const Error& error)
{
    return Error { inQuotes(file.string()) + ": " + error.message };
}

void readModel(JsonReader& json, HubModel& model)
{
    json.require("model_type", model.type);
    if (model.type == "wav2vec2-bert")
        model.width = kBertWidth;
    const bool isWhisper = model.type == kWhisperType;
    const char* const layerdrop = isWhisper ? "encoder_layerdrop" : "layerdrop";
    if (isWhisper) {
        model.layerdrop = 0;
        json("vocab_size", model.vocabulary, kHubSize);
        json("max_target_positions", model.positions, kHubSize);
        json("decoder_layerdrop", model.decoderLayerdrop, JsonRange { 0, 1 });
    }
    json(isWhisper ? "d_model" : "hidden_size", model.width, kHubSize);
    json(layerdrop, model.layerdrop, JsonRange { 0, 1 });
    model.namesLayerdrop = json.has(layerdrop);
    bool addAdapter = false;
    json("add_adapter", addAdapter);
    if (addAdapter && !json.isNull("output_hidden_size"))
        json("output_hidden_size", model.width, kHubSize);
}

Status readRate(const fs::path& folder, HubModel& model)
{
    const bool isOwn = isFile(folder / "preprocessor_config.json");
    if (model.type == kWhisperType && !isOwn && !isFile(folder / "processor_config.json"))
        return Done {}; // all Whispers hear the same rate
    const char* const name = isOwn ? "preprocessor_config.json" : "processor_config.json";
    const fs::path file = folder / name;
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    model.rateFile = name;
    const Status read = readJson(*text, [&](JsonReader& json) {
        if (isOwn)
            json("sampling_rate", model.sampleRateHz, kHubSize);
        else
            json.object("feature_extractor")("sampling_rate", model.sampleRateHz, kHubSize);
    });
    return read ? read : Status(inModelFile(file, read.error()));
}

} // namespace

int64_t HubModel::mostTokens() const
{
    return positions - (isMultilingualWhisper(vocabulary) ? 4 : 2);
}

const Names& keptHubFiles()
{
    static const Names names { "config.json", "generation_config.json", "preprocessor_config.json",
        "processor_config.json" };
    return names;
}

Status checkNoRun(const fs::path& folder)
{
    if (!isFile(folder / kKeptSource))
        return Done {};
    return Error { inQuotes(folder.string())
        + " is a run of Earwright; write its encoder first: earwright export RUN FOLDER --format "
          "hub" };
}

Result<HubModel> readHubModel(const fs::path& folder)
{
    const fs::path file = folder / "config.json";
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    HubModel model;
    const Status read = readJson(*text, [&](JsonReader& json) { readModel(json, model); });
    if (!read)
        return inModelFile(file, read.error());
    if (const Status rate = readRate(folder, model); !rate)
        return rate.error();
    return model;
}

} // namespace earwright::settings
