#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/recipe/value_at.h"
#include "core/settings/layer_keys.h"
#include "core/settings/search_setting.h"
#include "core/settings/tree.h"
#include "core/tasks/ctc_attention/bayesian.h"
#include "core/tasks/flows.h"
#include "core/tasks/pretrained.h"
#include "core/tasks/speech.h"

namespace earwright::tasks::ctc_attention {

using settings::report;

namespace {

constexpr settings::Reader kReader { "train::CtcAttentionTask" };

constexpr settings::KnownKey kKeys[] = {
    { "Transformer", kReader, "an object, TransformerASR", "encoder and decoder" },
    { "seq_lin", kReader, "an object, such as Linear", "from the decoder to the tokens" },
    { "seq_cost", kReader, "a !name: of kldiv_loss or nll_loss", "the loss of the decoder" },
    { "ctc_weight", kTrainReader, "a number from 0 to 1", "the share of the CTC loss" },
    { "bos_index", kReader, "a whole number", "the token that begins a text; usually 1" },
    { "eos_index", kReader, "a whole number", "the token that ends a text; usually 2" },
    { "pad_index", kReader, "a whole number", "the token that pads a text; 0 if not given" },
    { "valid_search", kReader },
    { "valid_search_interval", kReader, "a whole number",
        "validation decodes texts every so many epochs; ACC is counted in each" },
    { "test_search", kReader },
};

constexpr const char* kSearches[] = { "valid_search", "test_search" };

/// The rest is the decoder's.
void ctcShare(const Checked& recipe, settings::Diagnostics& found)
{
    const recipe::NodePtr weight = recipe::find(recipe.root, "ctc_weight");
    if (!weight || recipe::isNull(*weight) || catalog::isUndetermined(*weight))
        return; // said by others
    const double share = recipe::asDouble(*weight).value_or(-1);
    if (!(share >= 0 && share <= 1)) // .nan too
        report(found, recipe::Severity::Error, "argument-range",
            "ctc_weight must be a number from 0 to 1, not " + catalog::describe(*weight),
            weight->span);
}

void searches(const Checked& recipe, settings::Diagnostics& found)
{
    for (const char* key : kSearches) {
        const recipe::Entry* search = settings::findEntry(recipe.root, key);
        if (search && !recipe::isNull(*search->value) && !catalog::isUndetermined(*search->value))
            settings::readSearch(recipe.root, *search, found);
    }
}

settings::SpecialLabels specialLabels(const recipe::Node& recipe)
{
    settings::SpecialLabels labels = speechSpecialLabels(recipe);
    for (const auto& [key, place] :
        { std::pair { "bos_index", &labels.bos }, std::pair { "eos_index", &labels.eos } }) {
        const recipe::NodePtr index = recipe::find(recipe, key);
        *place = index ? recipe::asInt(*index) : std::nullopt;
    }
    labels.pad = recipe::intAt(recipe, "pad_index", 0);
    return labels;
}

std::string signs(const recipe::Node& root)
{
    const bool hasCtc = recipe::find(root, "ctc_cost") || settings::findLayer(root, "ctc_lin");
    return hasCtc && settings::findLayer(root, "Transformer")
            && settings::findLayer(root, "seq_lin")
        ? "'Transformer', 'ctc_lin' and 'seq_lin'"
        : "";
}

} // namespace

Spec spec()
{
    Spec spec { .name = "ctc_attention",
        .needed = { { { "compute_features", "wav2vec2" }, "the features, or a pretrained encoder" },
            { { "Transformer" }, "the encoder and the decoder" },
            { { "ctc_lin" }, "the output layer of the encoder" },
            { { "seq_lin" }, "the output layer of the decoder" },
            { { "ctc_cost" }, "the loss of the encoder", { "ctc_loss" } },
            { { "seq_cost" }, "the loss of the decoder", { "kldiv_loss", "nll_loss" } },
            { { "ctc_weight" }, "the share of ctc_cost in the loss" },
            { { "bos_index" }, "the token that begins a text" },
            { { "eos_index" }, "the token that ends a text" },
            { { "label_encoder", "tokenizer", "token_type" }, "the text encoder" } },
        .built = { "compute_features", "wav2vec2", "augmentation", "fea_augment", "CNN",
            "Transformer", "ctc_lin", "seq_lin", "log_softmax", "ctc_cost", "seq_cost" },
        .layerKeys = { "compute_features", "wav2vec2", "normalize", "normalizer", "mean_var_norm",
            "CNN", "cnn", "Transformer", "ctc_lin", "seq_lin", "log_softmax" },
        .flows = speechFlows(),
        .searchKeys = { std::begin(kSearches), std::end(kSearches) },
        .keys = speechKeys(),
        .ownKeys = { "CNN", "cnn", "seq_cost", "valid_search", "test_search", "ctc_weight",
            "kl_div_weight" },
        .ownOverrides
        = { "compute_features", "log_softmax", "ctc_cost", "compute_cost", "blank_index", "ctc_lin",
            "Transformer", "seq_lin", "bos_index", "eos_index", "pad_index" },
        .rules = { ctcShare, searches, checkBayesian, pretrainedRules },
        .countsAccuracy = true,
        .foreign = { .funasrClasses
            = { "Transformer", "Conformer", "Branchformer", "EBranchformer", "SANM" },
            .isOfAllOthers = true },
        .signs = signs,
        .specialLabels = specialLabels,
        .classPaths = speechClassPaths,
        .frameRate = speechFrameRate };
    spec.flows.push_back({ { "seq_lin" }, { decoderLayers(), { "Transformer" } }, {} });
    spec.keys.insert(spec.keys.end(), std::begin(kKeys), std::end(kKeys));
    spec.keys.insert(spec.keys.end(), bayesianKeys().begin(), bayesianKeys().end());
    spec.keys.insert(spec.keys.end(), pretrainedKeys().begin(), pretrainedKeys().end());
    return spec;
}

} // namespace earwright::tasks::ctc_attention
