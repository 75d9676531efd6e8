#include "core/tasks/paraformer/spec.h"
#include "core/catalog/configs/paraformer_loss.h"
#include "core/catalog/read.h"
#include "core/settings/data_settings.h"
#include "core/settings/layer_keys.h"
#include "core/settings/tree.h"
#include "core/tasks/paraformer/rules.h"

namespace earwright::tasks::seaco {

using recipe::Entry;
using recipe::Severity;
using settings::Diagnostics;
using settings::report;

namespace {

constexpr settings::Reader kReader { "train::SeacoTask" };

constexpr settings::KnownKey kKeys[] = {
    { "bias_encoder", kReader, "an object, torch.nn.LSTM", "from hotwords to vectors" },
    { "seaco_decoder", kReader, "an object, ParaformerSANMDecoder", "looks at hotwords" },
    { "hotword_output_layer", kReader, "an object, torch.nn.Linear", "from there to tokens" },
    { "lstm_proj", kReader },
    { "seaco_lsm_weight", kReader },
    { "seaco_length_normalized_loss", kReader },
    { "train_decoder", kReader },
    { "seaco_weight", kReader },
    { "seaco_id", kReader },
    { "hotword_min_length", settings::kLoaderReader },
    { "hotword_max_length", settings::kLoaderReader },
    { "hotword_unit", settings::kLoaderReader },
    { "hotword_distractors", settings::kLoaderReader },
    { "hotword_labels", kReader },
    { "hotword_weight", kReader },
};

constexpr paraformer::Layer kLayers[] = {
    { "bias_encoder", "torch.nn.LSTM", "torch.nn.LSTM" },
    { "lstm_proj", "torch.nn.Linear", "torch.nn.Linear" },
    { "seaco_decoder", "funasr.models.paraformer.decoder.ParaformerSANMDecoder",
        "ParaformerSANMDecoder" },
    { "hotword_output_layer", "torch.nn.Linear", "torch.nn.Linear" },
};

void arguments(const Checked& recipe, Diagnostics& found)
{
    const auto seaco = catalog::readKeys<catalog::SeacoConfig>(recipe.root, found);
    if (seaco.hotwordMaxLength >= seaco.hotwordMinLength)
        return;
    const auto most = recipe::find(recipe.root, "hotword_max_length");
    report(found, Severity::Error, "argument-range",
        "'hotword_max_length' " + std::to_string(seaco.hotwordMaxLength)
            + " is less than 'hotword_min_length' " + std::to_string(seaco.hotwordMinLength),
        (most ? most : recipe::find(recipe.root, "hotword_min_length"))->span);
}

settings::HotwordSampling hotwordSampling(const recipe::Node& root)
{
    Diagnostics saidByTheCheck;
    const auto seaco = catalog::readKeys<catalog::SeacoConfig>(root, saidByTheCheck);
    return { .shortest = seaco.hotwordMinLength,
        .longest = seaco.hotwordMaxLength,
        .areWords = seaco.hotwordUnit == "word",
        .distractors = seaco.hotwordDistractors };
}

void noCtcLoss(const Checked& recipe, Diagnostics& found)
{
    if (paraformer::ctcWeight(recipe, found).value_or(0) == 0)
        return;
    const Entry& weight = *settings::findEntry(recipe.root, "ctc_weight");
    report(found, Severity::Error, "argument-range",
        "task seaco_paraformer has no CTC loss: set ctc_weight to 0", weight.value->span)
        .fix
        = paraformer::fixOf(recipe, weight, "0");
}

void marks(const Checked& recipe, Diagnostics& found)
{
    std::vector<paraformer::Mark> all = paraformer::usualMarks();
    all.push_back({ "seaco_id", catalog::SeacoConfig().seacoId });
    paraformer::otherMarks(recipe, all, found);
}

/// Upstream would hand scores to a layer that takes vectors.
void decoderParts(const Checked& recipe, Diagnostics& found)
{
    paraformer::otherPart(recipe,
        { "seaco_decoder", "use_output_layer", false, "'hotword_output_layer' makes scores of it" },
        found);
}

/// SeACo's sizes follow from the recogniser's: those that do not fit it are told first.
void sizes(const Checked& recipe, Diagnostics& found)
{
    if (paraformer::recogniserSizeMisfits(recipe.root).empty())
        paraformer::tellMisfits(recipe, paraformer::seacoSizeMisfits(recipe.root), found);
}

/// Its texts end with eos; upstream's default is 0.
void ends(const Checked& recipe, Diagnostics& found)
{
    const Entry* bias = settings::findEntry(recipe.root, "predictor_bias");
    const Entry* const place = bias ? bias : settings::findEntry(recipe.root, "task");
    const bool isOther = !bias || recipe::asInt(*bias->value) == 0;
    if (!isOther || !place)
        return;
    auto& diagnostic = report(found, Severity::Error, "argument-range",
        "task seaco_paraformer needs predictor_bias: 1", place->value->span);
    if (bias)
        diagnostic.fix = paraformer::fixOf(recipe, *bias, "1");
}

void otherClasses(const Checked& recipe, Diagnostics& found)
{
    for (const paraformer::Layer& layer : kLayers)
        paraformer::otherClass(recipe, layer, found);
}

std::string signs(const recipe::Node& root)
{
    return settings::findLayer(root, "predictor") && settings::findLayer(root, "bias_encoder")
            && settings::findLayer(root, "seaco_decoder")
        ? "'predictor', 'bias_encoder' and 'seaco_decoder'"
        : "";
}

template <class Item>
void addTo(std::vector<Item>& items, const std::vector<Item>& more)
{
    items.insert(items.end(), more.begin(), more.end());
}

} // namespace

/// FunASR's SeacoParaformer: a Paraformer that listens for hotwords.
Spec spec()
{
    Spec spec = paraformer::spec();
    spec.name = "seaco_paraformer";
    spec.flows.clear(); // the Paraformer's
    spec.needed.insert(spec.needed.begin(),
        { { { "bias_encoder" }, "the encoder of hotwords" },
            { { "seaco_decoder" }, "the decoder of hotwords" },
            { { "hotword_output_layer" }, "the output layer of hotwords" },
            { { "seaco_id" }, "the token that stands for no hotword" } });
    spec.built.insert(spec.built.begin(),
        { "bias_encoder", "lstm_proj", "seaco_decoder", "hotword_output_layer" });
    addTo(spec.keys, { std::begin(kKeys), std::end(kKeys) });
    addTo(spec.ownKeys,
        { "seaco_id", "seaco_weight", "seaco_lsm_weight", "seaco_length_normalized_loss",
            "train_decoder", "hotword_min_length", "hotword_max_length", "hotword_weight",
            "hotword_unit", "hotword_labels", "hotword_distractors" });
    addTo(spec.ownOverrides,
        { "bias_encoder", "lstm_proj", "seaco_decoder", "hotword_output_layer" });
    spec.rules = { paraformer::arguments, arguments, noCtcLoss, marks, paraformer::decoderParts,
        decoderParts, paraformer::sizes, sizes, ends, otherClasses };
    spec.hotwordSampling = hotwordSampling;
    spec.signs = signs;
    spec.foreign = { .funasrClasses = { "SeacoParaformer" }, .hasSeacoLayers = true };
    return spec;
}

} // namespace earwright::tasks::seaco
