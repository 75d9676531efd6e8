#include "core/base/text.h"
#include "core/check/rules/rules.h"
#include "core/check/text_fix.h"
#include "core/check/tree.h"

namespace kymo::check::rules {

using recipe::NodePtr;
using recipe::Severity;

namespace {

/// One thing a task reads: any of these keys, the first by preference.
struct Needed {
    std::vector<std::string> keys;
    const char* what;
};

const std::vector<Needed> kNeededByCtc = {
    { { "compute_features" }, "the features" },
    { { "enc", "model" }, "the encoder" },
    { { "ctc_lin", "output" }, "the output layer" },
    { { "ctc_cost", "compute_cost" }, "the loss" },
    { { "label_encoder", "tokenizer" }, "the text encoder" },
    { { "modules" }, "what is trained" },
    { { "opt_class" }, "the optimizer" },
    { { "epoch_counter", "number_of_epochs" }, "the number of epochs" },
    { { "train_csv", "train_json", "train_annotation" }, "the training manifest" },
    { { "valid_csv", "valid_json", "valid_annotation" }, "the validation manifest" },
};

/// Keys whose objects the task builds.
constexpr const char* kBuiltByCtc[]
    = { "compute_features", "normalize", "augmentation", "fea_augment", "wav_augment", "CNN", "enc",
          "model", "ctc_lin", "output", "log_softmax", "ctc_cost", "compute_cost", "label_encoder",
          "tokenizer", "modules", "opt_class", "lr_annealing", "noam_annealing", "epoch_counter" };

const char* const kTasks = "ctc";

recipe::Span placeOf(const recipe::Node& root)
{
    return root.entries.empty() ? root.span : root.entries.front().key->span;
}

void taskUnnamed(const Context& context, Diagnostics& found)
{
    const bool looksLikeCtc
        = recipe::find(context.root, "ctc_cost") || recipe::find(context.root, "ctc_lin");
    auto& diagnostic = report(found, Severity::Error, "task-unnamed",
        std::string("the recipe does not say which training procedure it is for; add ")
            + (looksLikeCtc ? "the line 'task: ctc'"
                            : std::string("a key 'task' (this version knows: ") + kTasks + ")"),
        placeOf(context.root));
    if (looksLikeCtc)
        diagnostic.fix = addFirstLine(context.root, context.request.fileName, "task: ctc");
}

void taskUnknown(const Context& context, const recipe::Node& task, Diagnostics& found)
{
    auto& diagnostic = report(found, Severity::Error, "task-unknown",
        "unknown task '" + task.text + "'; this version knows: " + kTasks, task.span);
    if (!nearestName(toLower(task.text), { kTasks }).empty())
        diagnostic.fix = replaceScalar(task, context.request.fileName, kTasks);
}

bool hasAny(const recipe::Node& root, const std::vector<std::string>& keys)
{
    for (const std::string& key : keys)
        if (const NodePtr node = recipe::find(root, key); node && !recipe::isNull(*node))
            return true;
    return false;
}

void missingKeys(const Context& context, Diagnostics& found)
{
    for (const Needed& needed : kNeededByCtc)
        if (!hasAny(context.root, needed.keys))
            report(found, Severity::Error, "task-missing",
                "task 'ctc' needs " + std::string(needed.what) + ": the recipe has no key '"
                    + join(needed.keys, "' or '") + "'",
                placeOf(context.root));
}

/// "; of its kind Kymo trains …", where that is a short list.
std::string trainableLike(const catalog::ClassInfo& info)
{
    constexpr size_t kMost = 6;
    std::vector<std::string> names;
    for (const std::string& name : catalog::trainableClassNames())
        if (catalog::findClass(name)->role == info.role)
            names.push_back(name);
    return names.empty() || names.size() > kMost ? ""
                                                 : "; of its kind it trains " + join(names, ", ");
}

/// A class known by name alone can be checked for coverage, but there is nothing to build it with.
void unsupported(const NodePtr& value, NodeSet& reported, Diagnostics& found)
{
    walk(value, [&](const NodePtr& node) {
        const catalog::ClassInfo* info = catalog::findClass(className(*node));
        if (info && !info->trainable && reported.insert(node.get()).second)
            report(found, Severity::Error, "class-not-supported",
                "Kymo knows '" + std::string(className(*node)) + "' by name but cannot train it"
                    + trainableLike(*info),
                node->span);
        return true;
    });
}

} // namespace

void task(const Context& context, Diagnostics& found)
{
    const NodePtr node = recipe::find(context.root, "task");
    if (!node || recipe::isNull(*node))
        return taskUnnamed(context, found);
    if (node->text != kTasks)
        return taskUnknown(context, *node, found);
    missingKeys(context, found);
    NodeSet reported;
    for (const char* key : kBuiltByCtc)
        unsupported(recipe::find(context.root, key), reported, found);
}

} // namespace kymo::check::rules
