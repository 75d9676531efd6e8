#include "core/model/pretrained/hub_folder.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/model/torch_file.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace earwright::model {

namespace {

namespace fs = std::filesystem;
using StoredWeights = std::map<std::string, torch::Tensor>;

Error inHubFile(const fs::path& file, const std::string& what)
{
    return Error { "'" + file.string() + "': " + what };
}

fs::path fromEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? fs::path(value) : fs::path();
}

std::vector<fs::path> cachesOf(const fs::path& savePath)
{
    std::vector<fs::path> caches { savePath, fromEnvironment("HF_HUB_CACHE") };
    if (const fs::path home = fromEnvironment("HF_HOME"); !home.empty())
        caches.push_back(home / "hub");
    if (const fs::path home = fromEnvironment("HOME"); !home.empty())
        caches.push_back(home / ".cache" / "huggingface" / "hub");
    std::erase(caches, fs::path());
    return caches;
}

/// "models--facebook--wav2vec2-base"
std::string cacheName(const std::string& source)
{
    std::string folder = "models--";
    for (const char letter : source)
        folder += letter == '/' ? std::string("--") : std::string(1, letter);
    return folder;
}

/// The snapshot that refs/main names; without one, the only one that is there.
fs::path snapshotOf(const fs::path& entry)
{
    const fs::path snapshots = entry / "snapshots";
    if (const Result<std::string> commit = readFile(entry / "refs" / "main")) {
        const std::string name = commit->substr(0, commit->find_first_of(" \r\n"));
        if (!name.empty() && isFolder(snapshots / name))
            return snapshots / name;
    }
    std::error_code error;
    std::vector<fs::path> found;
    for (fs::directory_iterator i(snapshots, error), end; !error && i != end; i.increment(error))
        found.push_back(i->path());
    return found.size() == 1 && isFolder(found.front()) ? found.front() : fs::path();
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
    fs::path file = folder / "preprocessor_config.json";
    const bool isOwn = isFile(file);
    if (!isOwn && isFile(folder / "processor_config.json"))
        file = folder / "processor_config.json";
    const Result<std::string> text = readFile(file);
    if (!text)
        return Error { text.error().message
            + " (it says whether the model takes normalised waves: do_normalize)" };
    const Status read = readJson(*text, [&](JsonReader& json) {
        if (isOwn)
            json("do_normalize", normalizes);
        else
            json.object("feature_extractor")("do_normalize", normalizes);
    });
    if (!read)
        return inHubFile(file, read.error().message);
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

Result<StoredWeights> readStored(const fs::path& folder)
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

} // namespace

Result<fs::path> findHubFolder(const std::string& source, const fs::path& savePath)
{
    if (isFolder(source))
        return fs::path(source);
    const std::vector<fs::path> caches = cachesOf(savePath);
    for (const fs::path& cache : caches)
        if (const fs::path found = snapshotOf(cache / cacheName(source)); !found.empty())
            return found;
    return Error { "'" + source
        + "' is no folder and not in the Hub's cache of this machine. Fetch config.json, "
          "preprocessor_config.json and model.safetensors (or pytorch_model.bin) from "
          "https://huggingface.co/"
        + source + " into a folder, and write its path as the source" };
}

Result<HubFolder> readHubFolder(const fs::path& folder)
{
    Result<EncoderConfig> config = readEncoderConfig(folder);
    if (!config)
        return config.error();
    const Result<bool> normalizes = readNormalizes(folder);
    if (!normalizes)
        return normalizes.error();
    const Result<StoredWeights> stored = readStored(folder);
    if (!stored)
        return stored.error();
    return HubFolder { *config, *normalizes, encoderWeights(*stored, config->family) };
}

} // namespace earwright::model
