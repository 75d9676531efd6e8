#include "core/base/text.h"
#include "core/check/references.h"
#include "core/check/rules/rules.h"
#include "core/check/tree.h"

#include <algorithm>

namespace kymo::check::rules {

namespace {

/// What some tasks read, and others of which a recipe may have come do not.
struct OfTasks {
    std::string_view key;
    std::vector<std::string> tasks;
};

const std::vector<OfTasks>& keysOfTasks()
{
    static const std::vector<std::string> paraformers { "paraformer", "seaco_paraformer" };
    static const std::vector<OfTasks> keys = {
        { "specaug", paraformers },
        { "lsm_weight", paraformers },
        { "length_normalized_loss", paraformers },
        { "predictor_weight", paraformers },
        { "predictor_bias", paraformers },
        { "sampling_ratio", paraformers },
        { "valid_search", { "ctc_attention" } },
        { "test_search", { "ctc_attention" } },
        { "test_beam_search", { "ctc" } },
        { "seaco_id", { "seaco_paraformer" } },
        { "seaco_weight", { "seaco_paraformer" } },
        { "seaco_lsm_weight", { "seaco_paraformer" } },
        { "train_decoder", { "seaco_paraformer" } },
        { "seaco_length_normalized_loss", { "seaco_paraformer" } },
        { "hotword_min_length", { "seaco_paraformer" } },
        { "hotword_max_length", { "seaco_paraformer" } },
        { "hotword_weight", { "seaco_paraformer" } },
        { "hotword_unit", { "seaco_paraformer" } },
        { "hotword_labels", { "seaco_paraformer" } },
        { "hotword_distractors", { "seaco_paraformer" } },
    };
    return keys;
}

bool isRead(const OfTasks& key, const std::string& task)
{
    return std::find(key.tasks.begin(), key.tasks.end(), task) != key.tasks.end();
}

} // namespace

void otherTasks(const Context& context, Diagnostics& found)
{
    const std::string& task = context.options.task;
    if (task.empty() || !context.written)
        return;
    const std::vector<ReferenceUse> uses = referenceUses(*context.written);
    for (const OfTasks& key : keysOfTasks()) {
        const recipe::Entry* entry = findEntry(context.root, key.key);
        // What another key refers to may be of use there.
        if (!entry || recipe::isNull(*entry->value) || isRead(key, task)
            || isReferred(uses, key.key))
            continue;
        report(found, recipe::Severity::Warning, "unread-key",
            "task " + inQuotes(task) + " does not read " + inQuotes(key.key)
                + (key.tasks.size() == 1 ? "; task " : "; tasks ") + join(key.tasks, " and ")
                + (key.tasks.size() == 1 ? " does" : " do"),
            entry->key->span);
    }
}

} // namespace kymo::check::rules
