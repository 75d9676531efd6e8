#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/given.h"
#include "core/check/rules/rules.h"
#include "core/check/seaco_sizes.h"
#include "core/check/text_fix.h"
#include "core/check/tree.h"

namespace kymo::check::rules {

using recipe::Entry;
using recipe::Severity;

namespace {

/// A number or word that stands beside its key: behind a reference other users would change too.
std::optional<recipe::Fix> fixOf(
    const Context& context, const Entry& entry, const std::string& text)
{
    return entry.value->span.begin.line == entry.key->span.begin.line
        ? replaceScalar(*entry.value, context.request.fileName, text)
        : std::nullopt;
}

/// What a key's object is built as; any other would be of no use to the task.
struct Layer {
    const char* key;
    std::string_view name;
    const char* said; ///< by the set-up of the run, whose words these are
};

constexpr Layer kCtc { "ctc", "funasr.models.ctc.ctc.CTC", "CTC" };
constexpr Layer kSeacoLayers[] = {
    { "bias_encoder", "torch.nn.LSTM", "torch.nn.LSTM" },
    { "lstm_proj", "torch.nn.Linear", "torch.nn.Linear" },
    { "seaco_decoder", "funasr.models.paraformer.decoder.ParaformerSANMDecoder",
        "ParaformerSANMDecoder" },
    { "hotword_output_layer", "torch.nn.Linear", "torch.nn.Linear" },
};

/// Of those that can be trained: what cannot be, or is not known, is said by others.
void otherClass(const Context& context, const Layer& layer, Diagnostics& found)
{
    const Entry* entry = findEntry(context.root, layer.key);
    const catalog::ClassInfo* info = entry ? catalog::findClass(className(*entry->value)) : nullptr;
    if (info && info->trainable && info->name != layer.name)
        report(found, Severity::Error, "class-not-supported",
            "the task needs " + inQuotes(layer.key) + ", a " + layer.said
                + ": the recipe has another class there",
            entry->value->span);
}

void ctcBranch(const Context& context, const Entry& weight, Diagnostics& found)
{
    if (!recipe::find(context.root, kCtc.key))
        report(found, Severity::Error, "task-missing",
            "the task needs 'ctc', a CTC: the recipe does not define it", weight.key->span);
    otherClass(context, kCtc, found);
}

void ctcWeight(const Context& context, Diagnostics& found)
{
    const Entry* weight = findEntry(context.root, "ctc_weight");
    if (!weight || catalog::isUndetermined(*weight->value))
        return;
    const double share = recipe::asDouble(*weight->value).value_or(-1);
    if (!(share >= 0 && share < 1))
        report(found, Severity::Error, "argument-range",
            "ctc_weight must be a number from 0 to below 1: without its decoder a Paraformer "
            "recognises nothing",
            weight->value->span);
    else if (share > 0 && context.options.task == "seaco_paraformer")
        report(found, Severity::Error, "argument-range",
            "task seaco_paraformer has no CTC loss: set ctc_weight to 0", weight->value->span)
            .fix
            = fixOf(context, *weight, "0");
    else if (share > 0)
        ctcBranch(context, *weight, found);
}

/// Its texts end with eos; upstream's default is 0.
void ends(const Context& context, Diagnostics& found)
{
    const Entry* bias = findEntry(context.root, "predictor_bias");
    const Entry* const place = bias ? bias : findEntry(context.root, "task");
    const bool isOther = !bias || recipe::asInt(*bias->value) == 0;
    if (!isOther || !place)
        return;
    auto& diagnostic = report(found, Severity::Error, "argument-range",
        "task seaco_paraformer needs predictor_bias: 1", place->value->span);
    if (bias)
        diagnostic.fix = fixOf(context, *bias, "1");
}

void noHotwordToken(const Context& context, Diagnostics& found)
{
    const Entry* token = findEntry(context.root, "seaco_id");
    const recipe::NodePtr decoder = recipe::find(context.root, "decoder");
    const int64_t tokens = decoder ? catalog::Given(*decoder).integer("vocab_size") : 0;
    if (token && tokens > 0 && recipe::asInt(*token->value).value_or(0) >= tokens)
        report(found, Severity::Error, "argument-range",
            "seaco_id " + token->value->text + " is none of the decoder's " + std::to_string(tokens)
                + " tokens",
            token->value->span);
}

void sizes(const Context& context, Diagnostics& found)
{
    for (const SizeMisfit& misfit : seacoSizeMisfits(context.root)) {
        const Entry* argument = findEntry(*misfit.layer, misfit.argument);
        auto& diagnostic = report(found, Severity::Error, "shape-mismatch", misfit.message,
            argument ? argument->key->span : misfit.layer->span);
        if (argument && misfit.fitting > 0)
            diagnostic.fix = fixOf(context, *argument, std::to_string(misfit.fitting));
    }
}

} // namespace

void paraformer(const Context& context, Diagnostics& found)
{
    const std::string& task = context.options.task;
    if (task == "paraformer" || task == "seaco_paraformer")
        ctcWeight(context, found);
    if (task != "seaco_paraformer")
        return;
    ends(context, found);
    for (const Layer& layer : kSeacoLayers)
        otherClass(context, layer, found);
    noHotwordToken(context, found);
    sizes(context, found);
}

} // namespace kymo::check::rules
