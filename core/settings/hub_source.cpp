#include "core/settings/hub_source.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/text.h"
#include "core/catalog/catalog.h"
#include "core/catalog/configs/pretrained.h"
#include "core/catalog/configs/whisper.h"
#include "core/catalog/read.h"
#include "core/settings/adapted_object.h"
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
constexpr const char* kWhisperClass = "speechbrain.integrations.huggingface.whisper.Whisper";
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

/// Of the Hub's first models, which have no owner.
bool isOldHubName(const std::string& source)
{
    return !source.empty() && source.find('/') == source.npos && source.front() != '.'
        && source.front() != '~';
}

/// "owner/name", and no path.
bool isHubName(const std::string& source)
{
    const size_t slash = source.find('/');
    return slash != source.npos && slash > 0 && slash + 1 < source.size()
        && source.find('/', slash + 1) == source.npos && source.front() != '.'
        && source.front() != '~';
}

/// Of a folder, in words.
struct HubAdvice {
    const char* files;
    const char* example;
};

constexpr HubAdvice kEncoderAdvice {
    "config.json, preprocessor_config.json and model.safetensors (or pytorch_model.bin)",
    "facebook/wav2vec2-base"
};
constexpr HubAdvice kWhisperAdvice {
    "config.json, model.safetensors (or pytorch_model.bin), tokenizer.json (or vocab.json and "
    "merges.txt) and normalizer.json",
    "openai/whisper-tiny"
};

constexpr HubAdvice kBertAdvice { "vocab.txt (or tokenizer.json) and tokenizer_config.json",
    "bert-base-chinese" };

const HubAdvice& adviceFor(HubKind kind)
{
    return kind == HubKind::Whisper      ? kWhisperAdvice
        : kind == HubKind::BertTokenizer ? kBertAdvice
                                         : kEncoderAdvice;
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

bool isWholeWhisper(const recipe::Node& object)
{
    return isWhisper(object) && !configOf<catalog::WhisperConfig>(object).encoderOnly;
}

} // namespace

Result<fs::path> findHubFolder(const std::string& source, const fs::path& savePath, HubKind kind)
{
    const auto& [files, example] = adviceFor(kind);
    const bool isTokenizer = kind == HubKind::BertTokenizer;
    if (isFolder(source))
        return fs::path(source);
    if (!isHubName(source) && !(isTokenizer && isOldHubName(source)))
        return Error { inQuotes(source) + " is no folder; name one with " + files
            + ", or an entry of the Hub's cache, such as " + example };
    for (const fs::path& cache : cachesOf(savePath))
        if (const fs::path found = snapshotOf(cache / cacheName(source)); !found.empty())
            return found;
    return Error { inQuotes(source)
        + " is no folder and not in the Hub's cache of this machine. Fetch " + files
        + " from https://huggingface.co/" + source + " into a folder, and write its path as "
        + (isTokenizer ? "pretrained_model_name_or_path" : "the source") };
}

const Names& pretrainedKeys()
{
    static const Names keys { kPretrainedEncoder, kWhisper };
    return keys;
}

PretrainedObject pretrainedObject(const recipe::Node& recipe)
{
    const recipe::NodePtr modules = recipe::find(recipe, "modules");
    for (const std::string& key : pretrainedKeys()) {
        const recipe::NodePtr layer = findLayer(recipe, key);
        const bool isBesideThem = layer && modules && !recipe::isNull(*modules)
            && !reachableFrom(modules).contains(layer.get());
        const recipe::NodePtr object = isBesideThem ? nullptr : adaptedObject(layer);
        const catalog::ClassInfo* info
            = object ? catalog::findClass(recipe::newClass(*object)) : nullptr;
        if (info && info->trainable && info->name.starts_with(kWrappers))
            return { key, object, object != layer };
    }
    return {};
}

recipe::NodePtr pretrainedEncoder(const recipe::Node& recipe)
{
    const recipe::NodePtr object = pretrainedObject(recipe).object;
    return object && isWholeWhisper(*object) ? nullptr : object;
}

recipe::NodePtr whisperModel(const recipe::Node& recipe)
{
    const recipe::NodePtr object = pretrainedObject(recipe).object;
    return object && isWholeWhisper(*object) ? object : nullptr;
}

bool isWhisper(const recipe::Node& object)
{
    return classNameOf(object) == kWhisperClass;
}

std::optional<double> heardSeconds(const recipe::Node& recipe)
{
    const recipe::NodePtr object = pretrainedObject(recipe).object;
    return object && isWhisper(*object) ? std::optional(kWhisperSeconds) : std::nullopt;
}

bool isFrozenEncoder(const recipe::Node& encoder)
{
    if (isWhisper(encoder)) {
        const auto config = configOf<catalog::WhisperConfig>(encoder);
        return config.freeze || config.freezeEncoder;
    }
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
