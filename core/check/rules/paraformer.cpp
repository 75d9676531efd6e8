#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/configs/paraformer_loss.h"
#include "core/catalog/given.h"
#include "core/check/layer_keys.h"
#include "core/check/rules/rules.h"
#include "core/check/seaco_sizes.h"
#include "core/check/text_fix.h"
#include "core/check/tree.h"

#include <algorithm>
#include <span>

namespace earwright::check::rules {

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
    const Entry* entry = findLayerEntry(context.root, layer.key);
    const catalog::ClassInfo* info
        = entry ? catalog::findClass(catalog::classOf(*entry->value)) : nullptr;
    if (info && info->trainable && info->name != layer.name)
        report(found, Severity::Error, "class-not-supported",
            "the task needs " + inQuotes(layer.key) + ", a " + layer.said
                + ": the recipe has another class there",
            entry->value->span);
}

void ctcBranch(const Context& context, const Entry& weight, Diagnostics& found)
{
    if (!findLayer(context.root, kCtc.key))
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

struct Mark {
    const char* key;
    int64_t usual; ///< where the key is not given
};

/// A mark's default where it is a token that no other mark is.
std::optional<recipe::Fix> fixOf(
    const Context& context, const Entry& entry, std::span<const Mark> marks, int64_t tokens)
{
    const std::string_view key = entry.key->text;
    int64_t usual = tokens;
    for (const Mark& mark : marks)
        if (key == mark.key)
            usual = mark.usual;
    const bool isTaken = std::any_of(marks.begin(), marks.end(), [&](const Mark& mark) {
        const Entry* other = findEntry(context.root, mark.key);
        return key != mark.key
            && (other ? recipe::asInt(*other->value) : std::optional(mark.usual)) == usual;
    });
    return usual < tokens && !isTaken ? fixOf(context, entry, std::to_string(usual)) : std::nullopt;
}

/// A token beyond the last would be read outside the decoder's output.
void marks(const Context& context, Diagnostics& found)
{
    const catalog::ParaformerConfig usual;
    const Mark all[] = { { "blank_id", usual.blankId }, { "sos", usual.sos }, { "eos", usual.eos },
        { "seaco_id", catalog::SeacoConfig().seacoId } };
    const bool hasHotwords = context.options.task == "seaco_paraformer";
    const recipe::NodePtr decoder = findLayer(context.root, "decoder");
    const int64_t tokens = decoder ? catalog::Given(*decoder).integer("vocab_size") : 0;
    for (const Mark& mark : std::span(all).first(hasHotwords ? 4 : 3)) {
        const Entry* entry = findEntry(context.root, mark.key);
        const auto token = entry ? recipe::asInt(*entry->value) : std::nullopt;
        if (!token || tokens < 1 || *token < tokens)
            continue;
        report(found, Severity::Error, "argument-range",
            std::string(mark.key) + " " + entry->value->text + " is none of the decoder's "
                + std::to_string(tokens) + " tokens",
            entry->value->span)
            .fix
            = fixOf(context, *entry, all, tokens);
    }
}

/// What a decoder has besides its layers.
struct Part {
    const char* key;
    const char* argument;
    bool isWanted;
    const char* why;
};

constexpr Part kParts[] = {
    { "decoder", "wo_input_layer", false, "it is told tokens, which it embeds" },
    { "decoder", "use_output_layer", true, "it scores the tokens" },
    // Upstream would hand scores to a layer that takes vectors.
    { "seaco_decoder", "use_output_layer", false, "'hotword_output_layer' makes scores of it" },
};

void otherPart(const Context& context, const Part& part, Diagnostics& found)
{
    const recipe::NodePtr decoder = findLayer(context.root, part.key);
    const catalog::ClassInfo* info
        = decoder ? catalog::findClass(catalog::classOf(*decoder)) : nullptr;
    if (!info || !info->name.ends_with(".ParaformerSANMDecoder"))
        return;
    const Entry* given = findEntry(*decoder, part.argument);
    const bool isUnread = given && !recipe::asBool(*given->value); // said by others
    if (isUnread || catalog::Given(*decoder).flag(part.argument) == part.isWanted)
        return;
    const std::string wanted = part.isWanted ? "True" : "False";
    auto& diagnostic = report(found, Severity::Error, "argument-range",
        inQuotes(part.argument) + " of " + inQuotes(part.key) + " must be " + wanted + ": "
            + part.why,
        given ? given->value->span : decoder->span);
    diagnostic.fix = given ? fixOf(context, *given, wanted)
                           : addEntry(*decoder, context.request.text, context.request.fileName,
                               std::string(part.argument) + ": " + wanted);
}

/// SeACo's sizes follow from the recogniser's: those that do not fit it are told first.
std::vector<SizeMisfit> sizeMisfits(const Context& context)
{
    std::vector<SizeMisfit> misfits = recogniserSizeMisfits(context.root);
    return misfits.empty() && context.options.task == "seaco_paraformer"
        ? seacoSizeMisfits(context.root)
        : misfits;
}

void sizes(const Context& context, Diagnostics& found)
{
    for (const SizeMisfit& misfit : sizeMisfits(context)) {
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
    const bool hasHotwords = task == "seaco_paraformer";
    if (task != "paraformer" && !hasHotwords)
        return;
    ctcWeight(context, found);
    marks(context, found);
    for (const Part& part : kParts)
        if (hasHotwords || std::string_view(part.key) == "decoder")
            otherPart(context, part, found);
    sizes(context, found);
    if (!hasHotwords)
        return;
    ends(context, found);
    for (const Layer& layer : kSeacoLayers)
        otherClass(context, layer, found);
}

} // namespace earwright::check::rules
