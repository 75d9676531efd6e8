#include "core/base/text.h"
#include "core/catalog/configs/search.h"
#include "core/catalog/read.h"
#include "core/settings/hub_source.h"
#include "core/settings/layer_keys.h"
#include "core/settings/own_encoder.h"
#include "core/tasks/ctc/downsampling.h"
#include "core/tasks/ctc/k2.h"
#include "core/tasks/flows.h"
#include "core/tasks/own_encoder.h"
#include "core/tasks/pretrained.h"
#include "core/tasks/speech.h"

namespace earwright::tasks::ctc {

namespace {

constexpr settings::Reader kReader = kCtcReader;

constexpr settings::KnownKey kKeys[] = {
    { "enc", kReader, "an object, such as CRDNN", "the encoder" },
    { "Transformer", kReader, "an object, TransformerASR", "the encoder" },
    { "test_beam_search", kReader, "a mapping",
        "how texts are searched in the test: CTCBeamSearcher's arguments" },
    { "model", kReader, "a ModuleList", "what the checkpointer saves as one" },
    { "downsampler", kSpeechReader, "an object, such as Conv1DDownsampler",
        "makes shorter waves for the pretrained encoder" },
    { "upsampling", kReader, "True or False",
        "outputs of output_neurons each, as many a frame as ctc_lin has" },
    { "output", kReader },
    { "output_lin", kReader },
};

/// The arguments of a searcher that upstream's scripts make of a section.
void testSearch(const Checked& recipe, settings::Diagnostics& found)
{
    const recipe::NodePtr section = recipe::find(recipe.root, "test_beam_search");
    if (!section || section->kind != recipe::Kind::Mapping || !section->tag.empty())
        return; // an object's are read with all others
    recipe::Node named = *section;
    named.tag = "!name:speechbrain.decoders.ctc.CTCBeamSearcher";
    catalog::readConfig<catalog::CtcBeamSearcherConfig>(named, found);
}

/// Nothing would train its decoder.
void wholeWhisper(const Checked& recipe, settings::Diagnostics& found)
{
    if (const recipe::NodePtr whisper = settings::whisperModel(recipe.root))
        settings::report(found, recipe::Severity::Error, "argument-range",
            "'encoder_only' of 'whisper' must be True: CTC is on its encoder alone", whisper->span);
}

/// A loss or an output layer of a decoder is no part of it.
std::string signs(const recipe::Node& root)
{
    if (settings::findLayer(root, "seq_lin") || recipe::find(root, "seq_cost"))
        return "";
    for (const char* key : { "ctc_cost", "compute_cost" })
        if (const recipe::NodePtr cost = recipe::find(root, key);
            cost && recipe::nameClass(*cost).ends_with(".ctc_loss"))
            return inQuotes(key) + " and no decoder";
    if (hasK2Loss(root))
        return "the CTC loss of k2 and no decoder";
    return settings::findLayer(root, "ctc_lin") ? "'ctc_lin' and no decoder" : "";
}

} // namespace

Spec spec()
{
    Spec spec { .name = "ctc",
        .needed = { { .keys = { "compute_features", "wav2vec2", "whisper" },
                        .what = "the features, or a pretrained encoder",
                        .otherwise = { settings::kLatentExtractor } },
            { { "enc", "Transformer", "model" }, "the encoder" },
            { { "ctc_lin", "output", "output_lin" }, "the output layer" },
            { { "ctc_cost", "compute_cost" }, "the loss", { "ctc_loss" }, { kK2Loss } },
            { .keys = { "label_encoder", "tokenizer", "token_type", "per_stats", "lang_dir" },
                .what = "the text encoder",
                .otherwise = { settings::kLatentExtractor, settings::kBackEnd } } },
        .built = { "compute_features", "downsampler", "wav2vec2", "whisper",
            settings::kLatentExtractor, settings::kLatentEncoder, "augmentation", "fea_augment",
            "CNN", "enc", "Transformer", "model", settings::kBackEnd, "ctc_lin", "output",
            "output_lin", "log_softmax", "ctc_cost", "compute_cost" },
        .layerKeys = { "compute_features", "downsampler", "wav2vec2", "whisper",
            settings::kLatentExtractor, settings::kLatentEncoder, "normalize", "normalizer",
            "mean_var_norm", "CNN", "cnn", "enc", "Transformer", "model", settings::kBackEnd,
            "ctc_lin", "output", "output_lin", "log_softmax" },
        .flows = speechFlows(),
        .keys = speechKeys(),
        .ownKeys = { "test_beam_search", "CNN", "cnn", "downsampler", "upsampling" },
        .ownOverrides = { "enc", "output", "compute_features", "log_softmax", "ctc_cost",
            "compute_cost", "blank_index", "ctc_lin" },
        .rules = { testSearch, wholeWhisper, pretrainedRules, ownEncoderRules, downsamplingRules,
            k2Rules },
        .takesMarkedTexts = true,
        .signs = signs,
        .specialLabels = speechSpecialLabels,
        .classPaths = speechClassPaths,
        .frameRate = speechFrameRate };
    spec.flows.push_back( // of upstream's transducers and decoders too
        { { "output" }, { { "Tjoint" }, decoderLayers(), encoderLayers() }, {} });
    spec.keys.insert(spec.keys.end(), std::begin(kKeys), std::end(kKeys));
    spec.keys.insert(spec.keys.end(), pretrainedKeys().begin(), pretrainedKeys().end());
    spec.keys.insert(spec.keys.end(), ownEncoderKeys().begin(), ownEncoderKeys().end());
    return spec;
}

} // namespace earwright::tasks::ctc
