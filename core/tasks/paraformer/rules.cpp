#include "core/tasks/paraformer/rules.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/configs/paraformer_loss.h"
#include "core/catalog/given.h"
#include "core/catalog/read.h"
#include "core/settings/adapted_object.h"
#include "core/settings/layer_keys.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"
#include "core/tasks/paraformer/sizes.h"

#include <algorithm>

namespace earwright::tasks::paraformer {

using recipe::Entry;
using recipe::Severity;
using settings::Diagnostics;
using settings::report;

namespace {

constexpr Layer kCtc { "ctc", "funasr.models.ctc.ctc.CTC", "CTC" };

constexpr Part kDecoderParts[] = {
    { "decoder", "wo_input_layer", false, "it is told tokens, which it embeds" },
    { "decoder", "use_output_layer", true, "it scores the tokens" },
};

/// A mark's default where it is a token that no other mark is.
std::optional<recipe::Fix> markFix(
    const Checked& recipe, const Entry& entry, std::span<const Mark> marks, int64_t tokens)
{
    const std::string_view key = entry.key->text;
    int64_t usual = tokens;
    for (const Mark& mark : marks)
        if (key == mark.key)
            usual = mark.usual;
    const bool isTaken = std::any_of(marks.begin(), marks.end(), [&](const Mark& mark) {
        const Entry* other = settings::findEntry(recipe.root, mark.key);
        return key != mark.key
            && (other ? recipe::asInt(*other->value) : std::optional(mark.usual)) == usual;
    });
    return usual < tokens && !isTaken ? fixOf(recipe, entry, std::to_string(usual)) : std::nullopt;
}

} // namespace

std::vector<Mark> usualMarks()
{
    const catalog::ParaformerConfig usual;
    return { { "blank_id", usual.blankId }, { "sos", usual.sos }, { "eos", usual.eos } };
}

std::optional<recipe::Fix> fixOf(const Checked& recipe, const Entry& entry, const std::string& text)
{
    return entry.value->span.begin.line == entry.key->span.begin.line
        ? settings::replaceScalar(*entry.value, recipe.fileName, text)
        : std::nullopt;
}

void otherClass(const Checked& recipe, const Layer& layer, Diagnostics& found)
{
    const Entry* entry = settings::findLayerEntry(recipe.root, layer.key);
    const catalog::ClassInfo* info = entry
        ? catalog::findClass(catalog::classOf(*settings::adaptedObject(entry->value)))
        : nullptr;
    if (info && info->trainable && info->name != layer.name)
        report(found, Severity::Error, "class-not-supported",
            "the task needs " + inQuotes(layer.key) + ", a " + layer.said
                + ": the recipe has another class there",
            entry->value->span);
}

void otherMarks(const Checked& recipe, std::span<const Mark> marks, Diagnostics& found)
{
    const recipe::NodePtr decoder
        = settings::adaptedObject(settings::findLayer(recipe.root, "decoder"));
    const int64_t tokens = decoder ? catalog::Given(*decoder).integer("vocab_size") : 0;
    for (const Mark& mark : marks) {
        const Entry* entry = settings::findEntry(recipe.root, mark.key);
        const auto token = entry ? recipe::asInt(*entry->value) : std::nullopt;
        if (!token || tokens < 1 || *token < tokens)
            continue;
        report(found, Severity::Error, "argument-range",
            std::string(mark.key) + " " + entry->value->text + " is none of the decoder's "
                + std::to_string(tokens) + " tokens",
            entry->value->span)
            .fix
            = markFix(recipe, *entry, marks, tokens);
    }
}

void otherPart(const Checked& recipe, const Part& part, Diagnostics& found)
{
    const recipe::NodePtr decoder
        = settings::adaptedObject(settings::findLayer(recipe.root, part.key));
    const catalog::ClassInfo* info
        = decoder ? catalog::findClass(catalog::classOf(*decoder)) : nullptr;
    if (!info || !info->name.ends_with(".ParaformerSANMDecoder"))
        return;
    const Entry* given = settings::findEntry(*decoder, part.argument);
    const bool isUnread = given && !recipe::asBool(*given->value); // said by others
    if (isUnread || catalog::Given(*decoder).flag(part.argument) == part.isWanted)
        return;
    const std::string wanted = part.isWanted ? "True" : "False";
    auto& diagnostic = report(found, Severity::Error, "argument-range",
        inQuotes(part.argument) + " of " + inQuotes(part.key) + " must be " + wanted + ": "
            + part.why,
        given ? given->value->span : decoder->span);
    diagnostic.fix = given ? fixOf(recipe, *given, wanted)
                           : settings::addEntry(*decoder, recipe.text, recipe.fileName,
                               std::string(part.argument) + ": " + wanted);
}

std::optional<double> ctcWeight(const Checked& recipe, Diagnostics& found)
{
    const Entry* weight = settings::findEntry(recipe.root, "ctc_weight");
    if (!weight || catalog::isUndetermined(*weight->value))
        return {};
    const double share = recipe::asDouble(*weight->value).value_or(-1);
    if (share >= 0 && share < 1)
        return share;
    report(found, Severity::Error, "argument-range",
        "ctc_weight must be a number from 0 to below 1: without its decoder a Paraformer "
        "recognises nothing",
        weight->value->span);
    return {};
}

void arguments(const Checked& recipe, Diagnostics& found)
{
    catalog::readKeys<catalog::ParaformerConfig>(recipe.root, found);
}

void ctcBranch(const Checked& recipe, Diagnostics& found)
{
    if (ctcWeight(recipe, found).value_or(0) == 0)
        return;
    if (!settings::findLayer(recipe.root, kCtc.key))
        report(found, Severity::Error, "task-missing",
            "the task needs 'ctc', a CTC: the recipe does not define it",
            settings::findEntry(recipe.root, "ctc_weight")->key->span);
    otherClass(recipe, kCtc, found);
}

void marks(const Checked& recipe, Diagnostics& found)
{
    otherMarks(recipe, usualMarks(), found);
}

void decoderParts(const Checked& recipe, Diagnostics& found)
{
    for (const Part& part : kDecoderParts)
        otherPart(recipe, part, found);
}

void tellMisfits(const Checked& recipe, const std::vector<SizeMisfit>& misfits, Diagnostics& found)
{
    for (const SizeMisfit& misfit : misfits) {
        const Entry* argument = settings::findEntry(*misfit.layer, misfit.argument);
        auto& diagnostic = report(found, Severity::Error, "shape-mismatch", misfit.message,
            argument ? argument->key->span : misfit.layer->span);
        if (argument && misfit.fitting > 0)
            diagnostic.fix = fixOf(recipe, *argument, std::to_string(misfit.fitting));
    }
}

void sizes(const Checked& recipe, Diagnostics& found)
{
    tellMisfits(recipe, recogniserSizeMisfits(recipe.root), found);
}

} // namespace earwright::tasks::paraformer
