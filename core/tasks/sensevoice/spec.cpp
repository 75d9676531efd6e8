#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/catalog/configs/sense_voice.h"
#include "core/catalog/configs/wav_frontend.h"
#include "core/catalog/read.h"
#include "core/recipe/value_at.h"
#include "core/settings/adapted_object.h"
#include "core/settings/layer_keys.h"
#include "core/tasks/paraformer/rules.h"
#include "core/tasks/sensevoice/sizes.h"

#include <algorithm>

namespace earwright::tasks::sensevoice {

namespace {

constexpr settings::Reader kReader { "train::SenseVoiceTask" };
constexpr std::string_view kEncoder = "funasr.models.sense_voice.model.SenseVoiceEncoderSmall";

constexpr settings::KnownKey kKeys[] = {
    { "embed", kReader, "an object, torch.nn.Embedding",
        "what SenseVoice's encoder is told: 16 rows as wide as the features" },
    { "told_language", kReader, "auto, zh, en, yue, ja, ko or nospeech",
        "what SenseVoice is told in validation, test and transcribing" },
    { "use_itn", kReader, "True or False", "whether SenseVoice writes punctuation and digits" },
    { "write_rich_labels", kReader, "True or False",
        "whether what SenseVoice transcribes begins with language, emotion, event and style" },
};

constexpr paraformer::Layer kLayers[] = {
    { "encoder", kEncoder, "SenseVoiceEncoderSmall" },
    { "ctc", "funasr.models.ctc.ctc.CTC", "CTC" },
    { "embed", "torch.nn.Embedding", "torch.nn.Embedding" },
};

void arguments(const Checked& recipe, settings::Diagnostics& found)
{
    catalog::readKeys<catalog::SenseVoiceConfig>(recipe.root, found);
}

void otherClasses(const Checked& recipe, settings::Diagnostics& found)
{
    for (const paraformer::Layer& layer : kLayers)
        paraformer::otherClass(recipe, layer, found);
}

std::string signs(const recipe::Node& root)
{
    const recipe::NodePtr encoder = settings::adaptedObject(settings::findLayer(root, "encoder"));
    const catalog::ClassInfo* info
        = encoder ? catalog::findClass(catalog::classOf(*encoder)) : nullptr;
    return info && info->name == kEncoder ? "'encoder', a SenseVoiceEncoderSmall" : "";
}

settings::SpecialLabels specialLabels(const recipe::Node& root)
{
    return { .blank = recipe::intAt(root, "blank_id", 0), .blankKey = "blank_id" };
}

Names classPaths(const recipe::Node& root)
{
    return { "vocab_size", settings::layerPath(root, "ctc") + ".odim" };
}

/// The text's frames, without the queries'.
std::optional<settings::FrameRate> frameRate(const recipe::Node& root, int sampleRateHz)
{
    settings::FrameRate rate { .hopSamples = std::max(1, sampleRateHz / 100) };
    const recipe::NodePtr frontend = settings::findLayer(root, "frontend");
    if (!frontend || !recipe::newClass(*frontend).ends_with(".WavFrontend"))
        return rate;
    std::vector<recipe::Diagnostic> ignored; // the check's to say
    const auto config = catalog::readConfig<catalog::WavFrontendConfig>(*frontend, ignored);
    rate.hopSamples = std::max<int64_t>(1, sampleRateHz * config.frameShift / 1000);
    rate.stride = std::max<int64_t>(1, config.lfrN);
    return rate;
}

} // namespace

/// FunASR's SenseVoiceSmall: CTC with labels of language, emotion, event and style.
Spec spec()
{
    return { .name = "sense_voice",
        .needed = { { { "frontend" }, "the features" }, { { "encoder" }, "the encoder" },
            { { "ctc" }, "the output layer" }, { { "embed" }, "the table of queries" } },
        .built
        = { "frontend", "specaug", "augmentation", "fea_augment", "encoder", "ctc", "embed" },
        .layerKeys = { "frontend", "normalize", "normalizer", "mean_var_norm", "specaug", "encoder",
            "ctc", "embed" },
        .keys = { std::begin(kKeys), std::end(kKeys) },
        .ownKeys = { "sos", "eos", "blank_id", "ignore_id", "vocab_size", "specaug", "lsm_weight",
            "length_normalized_loss", "told_language", "use_itn", "write_rich_labels" },
        .ownOverrides = { "frontend", "encoder", "ctc", "embed" },
        .rules = { arguments, otherClasses, sizes, blank },
        .carriesRows = false,
        .utteranceLabels = { { "text_language", "<|zh|>" }, { "emo_target", "<|NEUTRAL|>" },
            { "event_target", "<|Speech|>" },
            { "with_or_wo_itn", "<|woitn|>", { "<|withitn|>", "<|woitn|>" } } },
        .foreign = { .funasrClasses = { "SenseVoiceSmall" },
            .funasrDatasets = { "SenseVoiceCTCDataset" },
            .hasQueries = true },
        .signs = signs,
        .specialLabels = specialLabels,
        .classPaths = classPaths,
        .frameRate = frameRate };
}

} // namespace earwright::tasks::sensevoice
