#include "core/base/text.h"
#include "core/check/options.h"
#include "core/check/references.h"
#include "core/check/rules/rules.h"
#include "core/check/rules/task_keys.h"
#include "core/check/tree.h"

#include <algorithm>

namespace kymo::check::rules {

namespace {

/// What some tasks read, and others of which a recipe may have come do not. Upstream's recipes
/// hold some that their own script leaves unread, and objects are missed by other rules: of these
/// only an override is told.
struct OfTasks {
    std::string_view key;
    std::vector<std::string> tasks;
    bool isToldInRecipes = true;
};

const std::vector<OfTasks>& keysOfTasks()
{
    static const std::vector<std::string> paraformers { "paraformer", "seaco_paraformer" };
    static const std::vector<std::string> speech { "ctc", "ctc_attention" };
    static const std::vector<std::string> joint { "ctc_attention" };
    static const std::vector<std::string> hotwords { "seaco_paraformer" };
    static const std::vector<OfTasks> keys = {
        { "CNN", speech },
        { "cnn", speech },
        { "compute_features", speech, false },
        { "log_softmax", speech, false },
        { "ctc_cost", speech, false },
        { "compute_cost", speech, false },
        { "blank_index", speech, false },
        { "enc", { "ctc" }, false },
        { "output", { "ctc" }, false },
        { "ctc_lin", speech, false },
        { "ctc_weight", { "ctc_attention", "paraformer", "seaco_paraformer" } },
        { "Transformer", joint, false },
        { "seq_lin", joint, false },
        { "seq_cost", joint },
        { "bos_index", joint, false },
        { "eos_index", joint, false },
        { "pad_index", joint, false },
        { "sos", paraformers },
        { "eos", paraformers },
        { "blank_id", paraformers },
        { "ignore_id", paraformers },
        { "share_embedding", paraformers },
        { "frontend", paraformers, false },
        { "encoder", paraformers, false },
        { "predictor", paraformers, false },
        { "decoder", paraformers, false },
        { "ctc", paraformers, false },
        { "bias_encoder", hotwords, false },
        { "lstm_proj", hotwords, false },
        { "seaco_decoder", hotwords, false },
        { "hotword_output_layer", hotwords, false },
        { "vocab_size", paraformers },
        { "specaug", paraformers },
        { "lsm_weight", paraformers },
        { "length_normalized_loss", paraformers },
        { "predictor_weight", paraformers },
        { "predictor_bias", paraformers },
        { "sampling_ratio", paraformers },
        { "valid_search", joint },
        { "test_search", joint },
        { "test_beam_search", { "ctc" } },
        { "seaco_id", hotwords },
        { "seaco_weight", hotwords },
        { "seaco_lsm_weight", hotwords },
        { "train_decoder", hotwords },
        { "seaco_length_normalized_loss", hotwords },
        { "hotword_min_length", hotwords },
        { "hotword_max_length", hotwords },
        { "hotword_weight", hotwords },
        { "hotword_unit", hotwords },
        { "hotword_labels", hotwords },
        { "hotword_distractors", hotwords },
    };
    return keys;
}

/// "a, b and c"
std::string listed(const std::vector<std::string>& names)
{
    return names.size() < 3
        ? join(names, " and ")
        : join({ names.begin(), names.end() - 1 }, ", ") + " and " + names.back();
}

bool isRead(const OfTasks& key, const std::string& task)
{
    return std::find(key.tasks.begin(), key.tasks.end(), task) != key.tasks.end();
}

} // namespace

void otherTasks(const Context& context, Diagnostics& found)
{
    const std::string& task = context.options.task;
    if (!findTask(task) || !context.written)
        return;
    const std::vector<ReferenceUse> uses = referenceUses(*context.written);
    for (const OfTasks& key : keysOfTasks()) {
        const recipe::Entry* entry = findEntry(context.root, key.key);
        // What another key refers to may be of use there.
        if (!entry || recipe::isNull(*entry->value) || isRead(key, task)
            || isReferred(uses, key.key)
            || (!key.isToldInRecipes && !isAsked(context.request, std::string(key.key))))
            continue;
        report(found, recipe::Severity::Warning, "unread-key",
            "task " + inQuotes(task) + " does not read " + inQuotes(key.key)
                + (key.tasks.size() == 1 ? "; task " : "; tasks ") + listed(key.tasks)
                + (key.tasks.size() == 1 ? " does" : " do"),
            entry->key->span);
    }
}

} // namespace kymo::check::rules
