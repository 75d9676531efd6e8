#include "core/tasks/speech.h"

#include "core/catalog/catalog.h"
#include "core/catalog/configs.h"
#include "core/catalog/given.h"
#include "core/catalog/read.h"
#include "core/recipe/value_at.h"
#include "core/settings/adapted_object.h"
#include "core/settings/hub_source.h"
#include "core/settings/layer_keys.h"
#include "core/settings/own_encoder.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace earwright::tasks {

namespace {

/// The object under a key where its class has this name; what is wrong with its arguments is the
/// check's to say.
recipe::NodePtr objectAt(const recipe::Node& recipe, const char* key, std::string_view className)
{
    const recipe::NodePtr node = settings::adaptedObject(settings::findLayer(recipe, key));
    return node && recipe::newClass(*node).ends_with(className) ? node : nullptr;
}

template <class Config>
Config read(const recipe::Node& node)
{
    std::vector<recipe::Diagnostic> ignored;
    return catalog::readConfig<Config>(node, ignored);
}

int64_t product(const std::vector<int64_t>& factors, int64_t count)
{
    const auto used = std::min(std::ssize(factors), static_cast<std::ptrdiff_t>(count));
    return std::accumulate(
        factors.begin(), factors.begin() + used, int64_t(1), std::multiplies<>());
}

int64_t poolingOf(const catalog::CrdnnConfig& config)
{
    const int64_t blocks
        = config.using2dPooling ? product(config.interLayerPoolingSize, config.cnnBlocks) : 1;
    return blocks * (config.timePooling ? config.timePoolingSize : 1);
}

/// That `downsampler` makes one of.
int64_t samplesOfOne(const recipe::Node& recipe)
{
    const recipe::NodePtr layer
        = runsDownsampler(recipe) ? settings::findLayer(recipe, kDownsampler) : nullptr;
    return layer ? std::max<int64_t>(1, catalog::Given(*layer).integer("downsampling_factor")) : 1;
}

/// Samples between two latents of SpeechBrain's own wav2vec 2.0; none where the recipe has another
/// encoder.
std::optional<int64_t> latentHop(const recipe::Node& recipe)
{
    const auto extractor = objectAt(recipe, settings::kLatentExtractor, ".W2VLatentExtractor");
    if (!extractor)
        return std::nullopt;
    const auto strides = read<catalog::W2VLatentExtractorConfig>(*extractor).strides;
    return std::max<int64_t>(1, product(strides, std::ssize(strides)) * samplesOfOne(recipe));
}

} // namespace

const std::vector<settings::KnownKey>& speechKeys()
{
    static constexpr settings::Reader kReader = kSpeechReader;
    static const std::vector<settings::KnownKey> keys = {
        { "compute_features", kReader, "an object, such as Fbank", "from waveforms to features" },
        { "CNN", kReader, "an object, such as ConvolutionFrontEnd", "before the encoder" },
        { "ctc_lin", kReader, "an object, such as Linear", "from the encoder to the tokens" },
        { "log_softmax", kReader, "an object, such as LogSoftmax",
            "makes log probabilities of them" },
        { "ctc_cost", kReader, "a !name: of ctc_loss", "the loss" },
        { "cnn", kReader },
        { "compute_cost", kReader },
    };
    return keys;
}

bool hasK2Loss(const recipe::Node& recipe)
{
    for (const char* key : { "ctc_cost", "compute_cost" })
        if (const recipe::NodePtr cost = recipe::find(recipe, key);
            cost && !recipe::isNull(*cost)) {
            const catalog::ClassInfo* info = catalog::findClass(recipe::nameClass(*cost));
            return info && info->name == kK2Loss;
        }
    return false;
}

settings::SpecialLabels speechSpecialLabels(const recipe::Node& recipe)
{
    const bool isOfK2 = hasK2Loss(recipe);
    return {
        .blank = recipe::intAt(recipe, "blank_index", 0), .addUnk = isOfK2, .endsWords = isOfK2
    };
}

const recipe::Entry* ctcOutput(const recipe::Node& recipe)
{
    for (const char* key : kCtcOutputs)
        if (const recipe::Entry* entry = settings::findLayerEntry(recipe, key))
            return entry;
    return nullptr;
}

int64_t upsampledFrames(const recipe::Node& recipe)
{
    const recipe::Entry* layer = ctcOutput(recipe);
    if (!layer || !runsDownsampler(recipe) || !recipe::boolAt(recipe, "upsampling", false))
        return 1;
    const int64_t classes = recipe::intAt(recipe, "output_neurons", 0);
    const int64_t outputs = catalog::Given(*layer->value).integer("n_neurons");
    return classes > 0 && outputs > 0 && outputs % classes == 0 ? outputs / classes : 1;
}

std::optional<double> encodableSeconds(const recipe::Node& recipe, int sampleRateHz)
{
    const std::optional<int64_t> hop = latentHop(recipe);
    if (!hop)
        return std::nullopt;
    return static_cast<double>(settings::kLatentPositions * *hop) / std::max(1, sampleRateHz);
}

Names speechClassPaths(const recipe::Node& recipe)
{
    const auto argument
        = [&](const char* layer) { return settings::layerPath(recipe, layer) + ".n_neurons"; };
    Names paths { "output_neurons", argument("ctc_lin"), argument("output"),
        argument("output_lin") };
    if (settings::findLayer(recipe, settings::kBackEnd)) // of which output_neurons says nothing
        paths.erase(paths.begin());
    return paths;
}

std::optional<settings::FrameRate> speechFrameRate(const recipe::Node& recipe, int sampleRateHz)
{
    settings::FrameRate rate;
    if (const recipe::NodePtr encoder = settings::pretrainedEncoder(recipe)) {
        const int64_t hop = settings::samplesPerFrame(*encoder) * samplesOfOne(recipe);
        rate.hopSamples = std::max<int64_t>(1, hop / upsampledFrames(recipe));
        return rate;
    }
    if (const std::optional<int64_t> hop = latentHop(recipe)) {
        rate.hopSamples = std::max<int64_t>(1, *hop / upsampledFrames(recipe));
        return rate;
    }
    rate.hopSamples = std::max(1, sampleRateHz / 100);
    if (const auto features = objectAt(recipe, "compute_features", ".Fbank")) {
        const double hopMs = read<catalog::FbankConfig>(*features).hopLength;
        rate.hopSamples = std::max<int64_t>(1, std::llround(sampleRateHz * hopMs / 1000));
    }
    if (const auto cnn = objectAt(recipe, "CNN", ".ConvolutionFrontEnd")) {
        const auto config = read<catalog::ConvolutionFrontEndConfig>(*cnn);
        rate.stride = std::max<int64_t>(1, product(config.strides, config.numBlocks));
    }
    for (const char* key : { "model", "enc" }) {
        if (const auto encoder = objectAt(recipe, key, ".CRDNN"))
            rate.pooling = std::max<int64_t>(1, poolingOf(read<catalog::CrdnnConfig>(*encoder)));
        if (const auto encoder = objectAt(recipe, key, ".ConvEncoder"))
            rate.stride
                = std::max<int64_t>(1, read<catalog::ConvEncoderConfig>(*encoder).subsampling);
    }
    return rate;
}

} // namespace earwright::tasks
