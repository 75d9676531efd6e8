#include "core/base/text.h"
#include "core/check/options.h"
#include "core/check/references.h"
#include "core/check/rules/rules.h"
#include "core/check/rules/task_keys.h"
#include "core/check/tree.h"

#include <algorithm>

namespace earwright::check::rules {

namespace {

/// What some tasks read, and others of which a recipe may have come do not.
struct KeysOfTasks {
    std::vector<std::string> tasks;
    std::vector<std::string> told;
    /// Upstream's recipes hold some that their own script leaves unread, and objects are missed by
    /// other rules: of these only an override is told.
    std::vector<std::string> toldOfOverrides;
};

const std::vector<KeysOfTasks>& keysOfTasks()
{
    static const std::vector<KeysOfTasks> all = {
        { { "ctc" }, { "test_beam_search" }, { "enc", "output" } },
        { { "ctc", "ctc_attention" }, { "CNN", "cnn" },
            { "compute_features", "log_softmax", "ctc_cost", "compute_cost", "blank_index",
                "ctc_lin" } },
        { { "ctc_attention" }, { "seq_cost", "valid_search", "test_search" },
            { "Transformer", "seq_lin", "bos_index", "eos_index", "pad_index" } },
        { { "ctc_attention", "paraformer", "seaco_paraformer" }, { "ctc_weight" }, {} },
        { { "paraformer", "seaco_paraformer" },
            { "sos", "eos", "blank_id", "ignore_id", "share_embedding", "vocab_size", "specaug",
                "lsm_weight", "length_normalized_loss", "predictor_weight", "predictor_bias",
                "sampling_ratio" },
            { "frontend", "encoder", "predictor", "decoder", "ctc" } },
        { { "seaco_paraformer" },
            { "seaco_id", "seaco_weight", "seaco_lsm_weight", "seaco_length_normalized_loss",
                "train_decoder", "hotword_min_length", "hotword_max_length", "hotword_weight",
                "hotword_unit", "hotword_labels", "hotword_distractors" },
            { "bias_encoder", "lstm_proj", "seaco_decoder", "hotword_output_layer" } },
    };
    return all;
}

/// "a, b and c"
std::string listed(const std::vector<std::string>& names)
{
    return names.size() < 3
        ? join(names, " and ")
        : join({ names.begin(), names.end() - 1 }, ", ") + " and " + names.back();
}

/// Where the recipe has the key and nothing refers to it: there it may be of use.
void tellUnread(const Context& context, const std::vector<ReferenceUse>& uses,
    const std::string& key, const std::vector<std::string>& tasks, Diagnostics& found)
{
    const recipe::Entry* entry = findEntry(context.root, key);
    if (!entry || recipe::isNull(*entry->value) || isReferred(uses, key))
        return;
    report(found, recipe::Severity::Warning, "unread-key",
        "task " + inQuotes(context.options.task) + " does not read " + inQuotes(key)
            + (tasks.size() == 1 ? "; task " : "; tasks ") + listed(tasks)
            + (tasks.size() == 1 ? " does" : " do"),
        entry->key->span);
}

} // namespace

void otherTasks(const Context& context, Diagnostics& found)
{
    const std::string& task = context.options.task;
    if (!findTask(task) || !context.written)
        return;
    const std::vector<ReferenceUse> uses = referenceUses(*context.written);
    for (const KeysOfTasks& group : keysOfTasks()) {
        if (std::find(group.tasks.begin(), group.tasks.end(), task) != group.tasks.end())
            continue;
        for (const std::string& key : group.told)
            tellUnread(context, uses, key, group.tasks, found);
        for (const std::string& key : group.toldOfOverrides)
            if (isAsked(context.request, key))
                tellUnread(context, uses, key, group.tasks, found);
    }
}

} // namespace earwright::check::rules
