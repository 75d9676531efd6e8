#include "core/check/inferred_options.h"

#include "core/recipe/value_at.h"
#include "core/settings/option_paths.h"
#include "core/tasks/spec.h"

namespace earwright::check {

using recipe::Node;

namespace {

bool has(const Node& root, const char* key)
{
    const recipe::NodePtr node = recipe::find(root, key);
    return node && !recipe::isNull(*node);
}

void tellInferred(
    Findings& findings, const char* option, const std::string& value, const std::string& reason)
{
    for (Provenance& entry : findings.provenance)
        if (entry.key == option)
            entry = { option, value, "inferred", reason, entry.consumer };
}

/// A number that stands in a script: recipes/Tedlium2/ASR/transformer/train.py.
void inferAveraging(const Node& root, Findings& findings)
{
    constexpr int64_t kAveraged = 10;
    if (!has(root, "clipped_utt_folder") || settings::findOption(root, "avg_checkpoints"))
        return;
    findings.options.avgCheckpoints = kAveraged;
    tellInferred(findings, "avg_checkpoints", std::to_string(kAveraged),
        "the script of recipes with 'clipped_utt_folder' averages " + std::to_string(kAveraged));
}

/// Why the accuracy of the labels judges; "" where it does not.
std::string whyAccuracy(const Node& root)
{
    if (has(root, "acc_computer"))
        return "the scripts of recipes with 'acc_computer' judge by ACC";
    const int64_t interval = recipe::intAt(root, "valid_search_interval", 1);
    return interval > 1 ? "with 'valid_search_interval' " + std::to_string(interval)
            + " not every validation has error rates, but each has ACC"
                        : "";
}

void inferJudge(const Node& root, Findings& findings)
{
    const tasks::Spec* const task = tasks::find(findings.options.task);
    if (!task || !task->countsAccuracy || !findings.options.minKey.empty()
        || !findings.options.maxKey.empty())
        return;
    const std::string reason = whyAccuracy(root);
    if (reason.empty())
        return;
    findings.options.maxKey = "ACC";
    tellInferred(findings, "max_key", findings.options.maxKey, reason);
}

} // namespace

void inferOptions(const Node& root, Findings& findings)
{
    inferAveraging(root, findings);
    inferJudge(root, findings);
}

} // namespace earwright::check
