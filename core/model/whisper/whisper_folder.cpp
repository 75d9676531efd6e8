#include "core/model/whisper/whisper_folder.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/model/pretrained/hub_folder.h"
#include "core/model/whisper/log_mel.h"
#include "core/settings/hub_model.h"

#include <torch/utils.h>

namespace earwright::model {

namespace {

namespace fs = std::filesystem;
using WhisperTensors = std::map<std::string, torch::Tensor>;

Result<WhisperSizes> readWhisperConfig(const fs::path& folder)
{
    const fs::path file = folder / "config.json";
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    Result<WhisperSizes> sizes = parseWhisperConfig(*text);
    if (!sizes)
        return Error { "'" + file.string() + "': " + sizes.error().message };
    if (2 * sizes->encoder.positions != LogMel::kFrames)
        return Error { "'" + file.string() + "': member 'max_source_positions' must be "
            + std::to_string(LogMel::kFrames / 2) + ", the frames of 30 s" };
    return sizes;
}

/// The features are the same in all of Whisper's folders but for the number of bins.
void checkFeatures(JsonReader& json, int64_t mels)
{
    struct {
        const char* name;
        int64_t expected;
        const char* why;
    } const members[] = {
        { "feature_size", mels, ", num_mel_bins of config.json" },
        { "sampling_rate", 16000, ": Earwright computes no other features of Whisper" },
        { "n_fft", 400, ": Earwright computes no other features of Whisper" },
        { "hop_length", 160, ": Earwright computes no other features of Whisper" },
        { "chunk_length", 30, ": Earwright computes no other features of Whisper" },
    };
    for (const auto& member : members) {
        int64_t found = member.expected;
        json(member.name, found);
        if (found != member.expected)
            json.refuse(member.name, std::to_string(member.expected) + member.why);
    }
    double dither = 0;
    json("dither", dither);
    if (dither != 0)
        json.refuse("dither", "0: Earwright adds no noise to Whisper's waves");
}

/// The output layer is often saved beside the vectors of the tokens, which it must be.
Status dropTiedOutput(WhisperTensors& tensors)
{
    const auto output = tensors.find("proj_out.weight");
    if (output == tensors.end())
        return Done {};
    const auto vectors = tensors.find("decoder.embed_tokens.weight");
    if (vectors == tensors.end()
        || !torch::equal(output->second.to(vectors->second.scalar_type()), vectors->second))
        return Error { "'proj_out.weight' is not model.decoder.embed_tokens.weight: Earwright "
                       "computes outputs by the vectors of the tokens alone" };
    tensors.erase(output);
    return Done {};
}

/// WhisperForConditionalGeneration's names begin with "model.", those of its WhisperModel do not.
HubWeights whisperWeights(const WhisperTensors& stored)
{
    const std::string prefix = "model.";
    HubWeights weights;
    for (const auto& [name, tensor] : stored)
        weights.tensors[name.starts_with(prefix) ? name.substr(prefix.size()) : name] = tensor;
    return weights;
}

} // namespace

Result<WhisperFolder> readWhisperFolder(const fs::path& folder, bool encoderOnly)
{
    Result<WhisperSizes> sizes = readWhisperConfig(folder);
    if (!sizes)
        return sizes.error();
    if (isFile(folder / "preprocessor_config.json") || isFile(folder / "processor_config.json")) {
        const Status features
            = readExtractor(folder, [&](JsonReader& json) { checkFeatures(json, sizes->mels); });
        if (!features)
            return features.error();
    }
    if (isFile(folder / settings::kKeptSource))
        return WhisperFolder { folder, *sizes, { .areInCheckpoint = true } };
    const Result<WhisperTensors> stored = readStoredWeights(folder);
    if (!stored)
        return stored.error();
    WhisperFolder found { folder, *sizes, whisperWeights(*stored) };
    if (const Status tied = dropTiedOutput(found.weights.tensors); !tied)
        return Error { "'" + folder.string() + "': " + tied.error().message };
    if (encoderOnly)
        std::erase_if(found.weights.tensors,
            [](const auto& entry) { return entry.first.starts_with("decoder."); });
    return found;
}

} // namespace earwright::model
