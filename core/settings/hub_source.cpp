#include "core/settings/hub_source.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/text.h"
#include "core/catalog/catalog.h"
#include "core/catalog/configs/pretrained.h"
#include "core/catalog/read.h"
#include "core/settings/layer_keys.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

namespace earwright::settings {

namespace {

namespace fs = std::filesystem;

constexpr int64_t kUsualFrameSamples = 320;
constexpr const char* kBertClass = "speechbrain.integrations.huggingface.w2v_bert.W2VBert";
constexpr const char* kWrappers = "speechbrain.integrations.huggingface.";

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

/// "owner/name", and no path.
bool isHubName(const std::string& source)
{
    const size_t slash = source.find('/');
    return slash != source.npos && slash > 0 && slash + 1 < source.size()
        && source.find('/', slash + 1) == source.npos && source.front() != '.'
        && source.front() != '~';
}

std::string classNameOf(const recipe::Node& node)
{
    const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(node));
    return info ? info->name : "";
}

template <class Config>
Config configOf(const recipe::Node& encoder)
{
    std::vector<recipe::Diagnostic> reportedByTheCheck;
    return catalog::readConfig<Config>(encoder, reportedByTheCheck);
}

} // namespace

Result<fs::path> findHubFolder(const std::string& source, const fs::path& savePath)
{
    if (isFolder(source))
        return fs::path(source);
    if (!isHubName(source))
        return Error { inQuotes(source)
            + " is no folder; name one with config.json, preprocessor_config.json and "
              "model.safetensors (or pytorch_model.bin), or an entry of the Hub's cache, such as "
              "facebook/wav2vec2-base" };
    for (const fs::path& cache : cachesOf(savePath))
        if (const fs::path found = snapshotOf(cache / cacheName(source)); !found.empty())
            return found;
    return Error { inQuotes(source)
        + " is no folder and not in the Hub's cache of this machine. Fetch config.json, "
          "preprocessor_config.json and model.safetensors (or pytorch_model.bin) from "
          "https://huggingface.co/"
        + source + " into a folder, and write its path as the source" };
}

recipe::NodePtr pretrainedEncoder(const recipe::Node& recipe)
{
    const recipe::NodePtr layer = findLayer(recipe, kPretrainedEncoder);
    const recipe::NodePtr modules = recipe::find(recipe, "modules");
    const bool isBesideThem = layer && modules && !recipe::isNull(*modules)
        && !reachableFrom(modules).contains(layer.get());
    if (!layer || isBesideThem)
        return nullptr;
    const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(*layer));
    return info && info->trainable && info->name.starts_with(kWrappers) ? layer : nullptr;
}

bool isFrozenEncoder(const recipe::Node& encoder)
{
    return classNameOf(encoder) == kBertClass
        ? configOf<catalog::PretrainedBertConfig>(encoder).freeze
        : configOf<catalog::PretrainedEncoderConfig>(encoder).freeze;
}

int64_t samplesPerFrame(const recipe::Node& encoder)
{
    const auto config = configOf<catalog::PretrainedEncoderConfig>(encoder);
    const Result<fs::path> folder = findHubFolder(config.source, config.savePath);
    const auto text = folder ? readFile(*folder / "config.json") : Result<std::string>(Error {});
    std::vector<int64_t> strides;
    if (!text || !readJson(*text, [&](JsonReader& json) { json("conv_stride", strides); }))
        return kUsualFrameSamples;
    const int64_t product
        = std::accumulate(strides.begin(), strides.end(), int64_t(1), std::multiplies<>());
    return strides.empty() || product < 1 ? kUsualFrameSamples : product;
}

} // namespace earwright::settings
