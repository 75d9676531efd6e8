#include "core/model/pretrained/hub_folder.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/model/torch_file.h"
#include "core/settings/hub_model.h"

#include <set>

namespace earwright::model {

namespace {

namespace fs = std::filesystem;
using StoredWeights = std::map<std::string, torch::Tensor>;

Error inHubFile(const fs::path& file, const std::string& what)
{
    return Error { "'" + file.string() + "': " + what };
}

Result<EncoderConfig> readEncoderConfig(const fs::path& folder)
{
    const fs::path file = folder / "config.json";
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    Result<EncoderConfig> config = parseEncoderConfig(*text);
    if (!config)
        return inHubFile(file, config.error().message);
    return config;
}

/// Upstream refuses a folder without either file; its default in them is true.
Result<bool> readNormalizes(const fs::path& folder)
{
    bool normalizes = true;
    const Status read
        = readExtractor(folder, [&](JsonReader& json) { json("do_normalize", normalizes); });
    if (!read)
        return read.error();
    return normalizes;
}

/// The weights of several files, of which the index says which holds what.
Result<StoredWeights> readParts(const fs::path& index)
{
    const Result<std::string> text = readFile(index);
    if (!text)
        return text.error();
    std::map<std::string, std::string> fileOf;
    const Status read
        = readJson(*text, [&](JsonReader& json) { json.require("weight_map", fileOf); });
    if (!read)
        return inHubFile(index, read.error().message);
    std::set<std::string> files;
    for (const auto& [name, file] : fileOf) {
        if (fs::path(file).filename() != file)
            return inHubFile(index, "'" + file + "' is not the name of a file beside it");
        files.insert(file);
    }
    StoredWeights all;
    for (const std::string& file : files) {
        Result<TensorFile> part = readWeights(index.parent_path() / file);
        if (!part)
            return part.error();
        all.merge(part->tensors);
    }
    for (const auto& [name, file] : fileOf)
        if (!all.contains(name))
            return inHubFile(index, "'" + name + "' is not in '" + file + "'");
    return all;
}

} // namespace

Result<StoredWeights> readStoredWeights(const fs::path& folder)
{
    for (const char* name : { "model.safetensors", "model.safetensors.index.json",
             "pytorch_model.bin", "pytorch_model.bin.index.json" }) {
        const fs::path file = folder / name;
        if (!isFile(file))
            continue;
        if (file.extension() == ".json")
            return readParts(file);
        Result<TensorFile> whole = readWeights(file);
        if (!whole)
            return whole.error();
        return std::move(whole->tensors);
    }
    return Error { "'" + folder.string()
        + "' holds no weights: put model.safetensors or pytorch_model.bin there" };
}

Status readExtractor(const fs::path& folder, const std::function<void(JsonReader&)>& read)
{
    fs::path file = folder / "preprocessor_config.json";
    const bool isOwn = isFile(file);
    if (!isOwn && isFile(folder / "processor_config.json"))
        file = folder / "processor_config.json";
    const Result<std::string> text = readFile(file);
    if (!text)
        return Error { text.error().message + " (it says how waves become the model's input)" };
    const Status done = readJson(*text, [&](JsonReader& json) {
        if (isOwn)
            return read(json);
        JsonReader inner = json.object("feature_extractor");
        read(inner);
    });
    if (!done)
        return inHubFile(file, done.error().message);
    return Done {};
}

Result<HubFolder> readHubFolder(const fs::path& folder)
{
    Result<EncoderConfig> config = readEncoderConfig(folder);
    if (!config)
        return config.error();
    const Result<bool> normalizes = readNormalizes(folder);
    if (!normalizes)
        return normalizes.error();
    if (isFile(folder / settings::kKeptSource))
        return HubFolder { *config, *normalizes, { .areInCheckpoint = true } };
    const Result<StoredWeights> stored = readStoredWeights(folder);
    if (!stored)
        return stored.error();
    return HubFolder { *config, *normalizes, encoderWeights(*stored, config->family) };
}

} // namespace earwright::model
