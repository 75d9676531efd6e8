#include "core/base/text.h"
#include "core/catalog/catalog.h"
#include "core/catalog/given.h"
#include "core/check/rules/class_arguments.h"
#include "core/check/rules/rules.h"
#include "core/recipe/value_at.h"
#include "core/settings/layer_keys.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"
#include "core/tasks/speech.h"

#include <algorithm>
#include <cstdlib>

namespace earwright::check::rules {

using recipe::NodePtr;
using recipe::Severity;

namespace {

/// `whole` of the classes must be a multiple of `part`: each head has the same width.
struct Multiple {
    std::string_view classes; ///< the names begin so
    const char* whole;
    const char* part;
};
constexpr Multiple kMultiples[] = {
    { "speechbrain.", "d_model", "nhead" },
    { "speechbrain.nnet.attention.", "embed_dim", "num_heads" },
    { "speechbrain.nnet.CNN.", "out_channels", "groups" },
    { "torch.nn.MultiheadAttention", "embed_dim", "num_heads" },
    { "funasr.models.", "output_size", "attention_heads" },
    { "funasr.models.", "encoder_output_size", "attention_heads" },
    { "funasr.models.", "n_feat", "n_head" },
    { "wenet.transformer.", "output_size", "attention_heads" },
};

/// Arguments that count the recipe's tokens, by the names of upstream's recipes.
struct Vocabulary {
    const char* layer;
    const char* argument;
};
constexpr Vocabulary kVocabularies[] = { { "Transformer", "tgt_vocab" }, { "ctc_lin", "n_neurons" },
    { "output_lin", "n_neurons" }, { "seq_lin", "n_neurons" }, { "transducer_lin", "n_neurons" },
    { "emb", "num_embeddings" } };

int64_t nearestDivisor(int64_t whole, int64_t part)
{
    constexpr int64_t kMost = 1024;
    int64_t best = 1;
    for (int64_t divisor = 1; divisor <= std::min({ whole, 2 * part, kMost }); ++divisor)
        if (whole % divisor == 0 && std::abs(divisor - part) < std::abs(best - part))
            best = divisor;
    return best;
}

void checkMultiples(const Context& context, const NodePtr& layer, Diagnostics& found)
{
    for (const Multiple& rule : kMultiples) {
        const recipe::Entry* entry = settings::findEntry(*layer, rule.part);
        const recipe::Entry* place = entry ? entry : settings::findEntry(*layer, rule.whole);
        // Most layers have neither: their class need not be looked up.
        const catalog::ClassInfo* info
            = place ? catalog::findClass(catalog::classOf(*layer)) : nullptr;
        if (!info || !info->name.starts_with(rule.classes))
            continue;
        const catalog::Given given(*layer);
        const int64_t whole = given.integer(rule.whole);
        const int64_t part = given.integer(rule.part);
        if (whole < 1 || part < 1 || whole % part == 0)
            continue;
        auto& diagnostic = report(found, Severity::Error, "shape-multiple",
            inQuotes(rule.whole) + " of " + catalog::lastPart(info->name)
                + " must be a multiple of " + inQuotes(rule.part) + ", and " + std::to_string(whole)
                + " is none of " + std::to_string(part),
            place->key->span);
        // Behind a reference the other users would change too.
        if (entry && entry->value->span.begin.line == entry->key->span.begin.line)
            diagnostic.fix = settings::replaceScalar(*entry->value, context.request.fileName,
                std::to_string(nearestDivisor(whole, part)));
    }
}

/// A formula is meant: only a number that somebody wrote instead of `!ref <output_neurons>`.
bool isNumberThere(const Context& context, const std::string& path, const recipe::Node& value)
{
    const NodePtr written = context.written ? recipe::findPath(*context.written, path) : nullptr;
    return value.origin == recipe::Origin::Override || (written && written->tag.empty());
}

bool isCtcOutput(std::string_view layer)
{
    return std::find(tasks::kCtcOutputs.begin(), tasks::kCtcOutputs.end(), layer)
        != tasks::kCtcOutputs.end();
}

void checkVocabulary(const Context& context, const Vocabulary& vocabulary, Diagnostics& found)
{
    const std::string path
        = settings::layerPath(context.root, vocabulary.layer) + "." + vocabulary.argument;
    const NodePtr value = recipe::findPath(context.root, path);
    const NodePtr tokens = recipe::find(context.root, "output_neurons");
    const int64_t expected = tokens ? catalog::sizeOf(*tokens) : 0;
    const int64_t size = value ? catalog::sizeOf(*value) : 0;
    if (expected == 0 || size == 0 || size == expected || !isNumberThere(context, path, *value))
        return;
    if (isCtcOutput(vocabulary.layer) && recipe::boolAt(context.root, "upsampling", false))
        return; // the task's own rule tells
    auto& diagnostic = report(found, Severity::Error, "shape-vocabulary",
        inQuotes(path) + " counts " + std::to_string(size) + " tokens, but 'output_neurons' says "
            + std::to_string(expected),
        value->span);
    diagnostic.fix
        = settings::replaceScalar(*value, context.request.fileName, "!ref <output_neurons>");
}

} // namespace

void layerSizes(const Context& context, Diagnostics& found)
{
    settings::NodeSet seen;
    for (const recipe::Entry& entry : context.root.entries)
        settings::walk(entry.value, [&](const NodePtr& node) {
            const bool isNew = seen.insert(node.get()).second;
            if (isNew && node->kind == recipe::Kind::Mapping && !catalog::classOf(*node).empty()) {
                checkMultiples(context, node, found);
                classArguments(context, *node, found);
            }
            return isNew;
        });
    for (const Vocabulary& vocabulary : kVocabularies)
        checkVocabulary(context, vocabulary, found);
}

} // namespace earwright::check::rules
